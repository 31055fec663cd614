package dev.oneshot.local.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.ReplicatedStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.StackAccount;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** An account's requests through the balancer of REST. Counts those that failed. Safe for use by many threads. */
final class Api implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RECEIVE = "{\"ttl_seconds\":3600}";

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final String base;
    private final String key;
    private final AtomicInteger unavailable = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();

    Api(ReplicatedStack stack) {
        this.base = "http://127.0.0.1:" + stack.port(Port.HTTP) + "/v1/addresses";
        int management =
                stack.managementPort(ReplicatedStack.labels(Service.API).getFirst());
        this.key = StackAccount.create(management, stack.operatorToken(), "chaos", "scale")
                .key();
    }

    /** Responses of 503 since the last call. */
    int unavailable() {
        return unavailable.getAndSet(0);
    }

    /** Requests without a response since the last call: connections that failed, and timeouts of 5 s. */
    int failed() {
        return failed.getAndSet(0);
    }

    /** Creates an address that receives a mail; empty if the request failed. */
    Optional<String> createAddress() throws InterruptedException {
        return create(RECEIVE);
    }

    /** Requests a mail to be sent, and returns the id of its address; empty if the request failed. */
    Optional<String> send() throws InterruptedException {
        return create("{\"mode\":\"send\",\"send\":{\"to\":\"ada@recipient.example\",\"subject\":\"Hello\","
                + "\"text_body\":\"Hello\"}}");
    }

    /** Whether an address is known to have received its mail. */
    boolean isReceived(String id) throws InterruptedException {
        return exchange(request("/" + id).build(), 200)
                .map(response -> json(response.body()).path("status").asText().equals("received"))
                .orElse(false);
    }

    /** The mail of an address; empty if the request failed or there is none. */
    Optional<byte[]> mail(String id) throws InterruptedException {
        return exchange(request("/" + id + "/email/raw").build(), 200).map(HttpResponse::body);
    }

    @Override
    public void close() {
        client.close();
    }

    private Optional<String> create(String body) throws InterruptedException {
        HttpRequest request = request("")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return exchange(request, 201)
                .map(response -> json(response.body()).path("id").asText());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + key);
    }

    private Optional<HttpResponse<byte[]>> exchange(HttpRequest request, int expected) throws InterruptedException {
        try {
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            if (response.statusCode() == 503) {
                unavailable.incrementAndGet();
            }
            return Optional.of(response).filter(some -> some.statusCode() == expected);
        } catch (IOException e) {
            failed.incrementAndGet();
            return Optional.empty();
        }
    }

    private static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new IllegalStateException("no JSON", e);
        }
    }
}
