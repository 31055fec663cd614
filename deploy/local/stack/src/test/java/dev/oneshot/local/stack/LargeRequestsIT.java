package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Large requests on an api-service that has memory for one at a time. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class LargeRequestsIT {

    private static final int LARGE_BYTES = 1024 * 1024;
    private static final int BEGINNING_BYTES = 128 * 1024;
    private static final String MEMORY = "oneshot_http_body_memory_bytes ";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final LocalStack stack;
    private final Account account;

    LargeRequestsIT(LocalStack stack) {
        this.stack = stack;
        this.account = Account.create(stack);
    }

    @Test
    void oneThatFindsNoRoomIsToldToComeAgainAndOneThatDoesNotComeLosesIts() throws Exception {
        Map<String, String> settings = Map.of(
                "ONESHOT_HTTP_BODY_MEMORY",
                "3M",
                "ONESHOT_HTTP_BODY_WAIT",
                "PT1S",
                "ONESHOT_HTTP_BODY_RECEIVE",
                "PT4S");
        String large = "{\"ignored\":\"" + "x".repeat(LARGE_BYTES) + "\"}";
        try (Replica api = Replica.of(stack, Service.API, settings);
                Socket slow = new Socket(InetAddress.ofLiteral("127.0.0.1"), api.port())) {
            assertThat(create(api, large).statusCode()).isEqualTo(201);
            begin(slow, large);
            await().atMost(PATIENCE).until(() -> metrics(api).contains(MEMORY + "3145728.0"));

            Response refused = create(api, large);

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.<String>path("error.code")).isEqualTo("UNAVAILABLE");
            assertThat(create(api, "{}").statusCode()).isEqualTo(201);
            await().atMost(PATIENCE).until(() -> isAnsweredAfterOneMoreOctet(slow));
            assertThat(new String(slow.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 503");
            await().atMost(PATIENCE).until(() -> metrics(api).contains(MEMORY + "0.0"));
            assertThat(create(api, large).statusCode()).isEqualTo(201);
        }
    }

    private Response create(Replica api, String body) {
        return RestAssured.given()
                .baseUri("http://127.0.0.1:" + api.port())
                .header("Authorization", "Bearer " + account.key())
                .contentType("application/json")
                .body(body)
                .post("/v1/addresses");
    }

    private void begin(Socket socket, String body) throws IOException {
        String request = "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\nAuthorization: Bearer " + account.key() + "\r\n\r\n"
                + body.substring(0, BEGINNING_BYTES);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private static boolean isAnsweredAfterOneMoreOctet(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write('x');
        } catch (SocketException closed) {
            return true;
        }
        return socket.getInputStream().available() > 0;
    }

    private static String metrics(Replica api) {
        return RestAssured.get("http://127.0.0.1:" + api.managementPort() + "/q/metrics")
                .asString();
    }
}
