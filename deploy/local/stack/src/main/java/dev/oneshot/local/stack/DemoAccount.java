package dev.oneshot.local.stack;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The account for trying out the stack. */
final class DemoAccount {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private DemoAccount() {}

    /** The file of its key. */
    static Path keyFile(Path state) {
        return state.resolve("demo-api-key");
    }

    /** The key of the account. Creates the account if there is none or its key is not valid. */
    static String ensure(LocalStack stack) throws IOException, InterruptedException {
        Path file = keyFile(stack.settings().state());
        try (HttpClient client = HttpClient.newHttpClient()) {
            if (Files.exists(file)) {
                String key = Files.readString(file).strip();
                if (isValid(client, stack, key)) {
                    return key;
                }
            }
            String key = create(client, stack.settings().port(Port.API_MANAGEMENT), stack.operatorToken());
            Secrets.write(file, key);
            return key;
        }
    }

    private static boolean isValid(HttpClient client, LocalStack stack, String key)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + stack.settings().port(Port.HTTP) + "/v1/addresses?limit=1");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + key)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    }

    private static String create(HttpClient client, int managementPort, String operatorToken)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + managementPort + "/operator/accounts");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + operatorToken)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"demo\",\"plan\":\"scale\"}"))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 201) {
            throw new StackException(
                    "cannot create the demo account: " + response.statusCode() + " " + response.body());
        }
        return JSON.readTree(response.body()).path("api_key").asText();
    }
}
