package dev.oneshot.local.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/**
 * An account that the operator of a stack has created.
 *
 * @param key its API key
 */
public record StackAccount(String id, String key) {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Creates an account.
     *
     * @param managementPort of the api-service that gets the request
     * @throws StackException if the response is not 201
     */
    public static StackAccount create(int managementPort, String operatorToken, String name, String plan) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            String account = JSON.writeValueAsString(Map.of("name", name, "plan", plan));
            HttpRequest request = request(managementPort, "/operator/accounts", operatorToken)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(account))
                    .build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 201) {
                throw new StackException(
                        "cannot create the account " + name + ": " + response.statusCode() + " " + response.body());
            }
            JsonNode created = JSON.readTree(response.body());
            return new StackAccount(
                    created.path("id").asText(), created.path("api_key").asText());
        } catch (IOException e) {
            throw new StackException("cannot create the account " + name + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("creating the account " + name + " was cancelled");
        }
    }

    /** Whether the API on this port accepts a key. */
    static boolean isKey(int port, String key) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest list = request(port, "/v1/addresses?limit=1", key).build();
            return client.send(list, BodyHandlers.discarding()).statusCode() == 200;
        }
    }

    private static HttpRequest.Builder request(int port, String path, String bearer) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + bearer);
    }
}
