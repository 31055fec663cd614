package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Large requests to an api-service with memory for two at a time. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class LargeRequestsIT {

    private static final String LARGE = "{\"ignored\":\"" + "x".repeat(1024 * 1024) + "\"}";
    private static final int BEGINNING_BYTES = 128 * 1024;
    private static final String MEMORY = "oneshot_http_body_memory_bytes ";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final LocalStack stack;
    private final Account greedy;
    private final Account patient;
    private final Account third;

    LargeRequestsIT(LocalStack stack) {
        this.stack = stack;
        this.greedy = Account.create(stack);
        this.patient = Account.create(stack);
        this.third = Account.create(stack);
    }

    @Test
    void requestWithoutMemoryGets503AndAStalledRequestLosesItsMemory() throws Exception {
        // One large request fits into each half, and no second one.
        Map<String, String> settings = Map.of(
                "ONESHOT_HTTP_BODY_MEMORY",
                "7M",
                "ONESHOT_HTTP_BODY_WAIT",
                "PT1S",
                "ONESHOT_HTTP_BODY_RECEIVE",
                "PT10S");
        try (Replica api = Replica.of(stack, Service.API, settings);
                Socket slow = begin(api, greedy)) {
            await().atMost(PATIENCE).until(() -> reserved(api) == 3L * LARGE.length());

            assertRetryAfter(create(api, greedy, LARGE), 429, "RATE_LIMITED");
            assertThat(create(api, patient, LARGE).statusCode()).isEqualTo(201);
            // A connection without a request is closed.
            try (Socket another = begin(api, patient)) {
                await().atMost(PATIENCE).until(() -> reserved(api) == 6L * LARGE.length());
                assertRetryAfter(create(api, third, LARGE), 503, "UNAVAILABLE");
                assertThat(create(api, third, "{}").statusCode()).isEqualTo(201);

                for (Socket late : List.of(slow, another)) {
                    await().atMost(PATIENCE).until(() -> respondsAfterOneMoreByte(late));
                    assertThat(new String(late.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                            .isEqualTo("HTTP/1.1 408");
                }
            }
            await().atMost(PATIENCE).until(() -> reserved(api) == 0);
            assertThat(create(api, greedy, LARGE).statusCode()).isEqualTo(201);
        }
    }

    private static void assertRetryAfter(Response refused, int status, String code) {
        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.<String>path("error.code")).isEqualTo(code);
    }

    private static Response create(Replica api, Account account, String body) {
        return RestAssured.given()
                .baseUri("http://127.0.0.1:" + api.port())
                .header("Authorization", "Bearer " + account.key())
                .contentType("application/json")
                .body(body)
                .post("/v1/addresses");
    }

    private static Socket begin(Replica api, Account account) throws IOException {
        Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), api.port());
        String request = "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                + LARGE.length() + "\r\nAuthorization: Bearer " + account.key() + "\r\n\r\n"
                + LARGE.substring(0, BEGINNING_BYTES);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static boolean respondsAfterOneMoreByte(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write('x');
        } catch (SocketException closed) {
            return true;
        }
        return socket.getInputStream().available() > 0;
    }

    private static long reserved(Replica api) {
        String metrics = RestAssured.get("http://127.0.0.1:" + api.managementPort() + "/q/metrics")
                .asString();
        return metrics.lines()
                .filter(line -> line.startsWith(MEMORY))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(MEMORY.length())))
                .sum();
    }
}
