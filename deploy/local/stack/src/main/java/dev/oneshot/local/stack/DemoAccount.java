package dev.oneshot.local.stack;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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
        StackSettings settings = stack.settings();
        Path file = keyFile(settings.state());
        String kept = Files.exists(file) ? Files.readString(file).strip() : "none";
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest list = request(settings.port(Port.HTTP), "/v1/addresses?limit=1", kept)
                    .build();
            if (client.send(list, BodyHandlers.discarding()).statusCode() == 200) {
                return kept;
            }
            HttpRequest.Builder create =
                    request(settings.port(Port.API_MANAGEMENT), "/operator/accounts", stack.operatorToken());
            create.header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"name\":\"demo\",\"plan\":\"scale\"}"));
            HttpResponse<String> response = client.send(create.build(), BodyHandlers.ofString());
            if (response.statusCode() != 201) {
                throw new StackException(
                        "cannot create the demo account: " + response.statusCode() + " " + response.body());
            }
            String key = JSON.readTree(response.body()).path("api_key").asText();
            Secrets.write(file, key);
            return key;
        }
    }

    private static HttpRequest.Builder request(int port, String path, String bearer) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + bearer);
    }
}
