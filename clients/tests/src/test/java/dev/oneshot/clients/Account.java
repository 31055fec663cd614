package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.oneshot.client.OneshotClient;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/**
 * An account of the stack, created by its operator.
 *
 * @param baseUrl the public API
 * @param key its API key
 */
record Account(String baseUrl, String key) {

    /** On the plan scale. */
    static Account create(LocalStack stack) throws IOException, InterruptedException {
        return create(stack, "scale");
    }

    static Account create(LocalStack stack, String plan) throws IOException, InterruptedException {
        String operator = "http://127.0.0.1:" + stack.settings().port(Port.API_MANAGEMENT) + "/operator/accounts";
        HttpRequest request = HttpRequest.newBuilder(URI.create(operator))
                .header("Authorization", "Bearer " + stack.operatorToken())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"name\":\"clients\",\"plan\":\"" + plan + "\"}"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> created = http.send(request, BodyHandlers.ofString());
            assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
            String key = JsonParser.parseString(created.body())
                    .getAsJsonObject()
                    .get("api_key")
                    .getAsString();
            return new Account("http://127.0.0.1:" + stack.settings().port(Port.HTTP) + "/v1", key);
        }
    }

    /**
     * Delivers a message to an address, as an application under test makes its mail server do.
     *
     * @param message lines of ASCII that end with LF
     */
    static void deliver(LocalStack stack, String address, String message) throws IOException {
        byte[] octets = (message.replace("\n", "\r\n") + "\r\n").getBytes(StandardCharsets.US_ASCII);
        assertThat(SmtpClient.deliver(stack.settings().port(Port.SMTP), address, octets))
                .startsWith("250");
    }

    OneshotClient client() {
        return OneshotClient.builder().baseUrl(baseUrl).apiKey(key).build();
    }
}
