package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.RawConnection;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Large requests to an api-service with memory for two at a time. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class LargeRequestsIT extends StackTest {

    private static final String LARGE = "{\"ignored\":\"" + "x".repeat(1024 * 1024) + "\"}";
    private static final int BEGINNING_BYTES = 128 * 1024;
    private static final String MEMORY = "oneshot_http_body_memory_bytes";

    @Test
    void aStalledRequestLosesItsMemoryWhileAnotherAccountWaits() throws Exception {
        Account patient = Account.create(stack);
        Account third = Account.create(stack);
        try (Replica api = Replica.of(
                        stack,
                        Service.API,
                        "ONESHOT_HTTP_BODY_MEMORY=7M",
                        "ONESHOT_HTTP_BODY_WAIT=PT10S",
                        "ONESHOT_HTTP_BODY_RECEIVE=PT20S");
                Socket small = begin(api, third, "{}", 1);
                Socket slow = begin(api, account, LARGE, BEGINNING_BYTES)) {
            await().until(() -> reserved(api) == 3.0 * LARGE.length());
            assertThat(create(api, account, LARGE).statusCode()).isEqualTo(201);

            try (Socket another = begin(api, patient, LARGE, BEGINNING_BYTES)) {
                await().until(() -> reserved(api) == 6.0 * LARGE.length());
                assertThat(create(api, third, LARGE).statusCode()).isEqualTo(201);
                assertThat(create(api, third, "{}").statusCode()).isEqualTo(201);

                assertTimedOut(slow);
                // No one waits for memory, so it lasts until body-receive ends it.
                await().until(() -> respondsAfterOneMoreByte(another));
                assertTimedOut(another);
                assertTimedOut(small);
            }
            await().until(() -> reserved(api) == 0);
            assertThat(create(api, account, LARGE).statusCode()).isEqualTo(201);
        }
    }

    private static void assertTimedOut(Socket late) throws IOException {
        assertThat(new String(late.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                .isEqualTo("HTTP/1.1 408");
    }

    private static Response create(Replica api, Account account, String body) {
        return account.at(api).post(body);
    }

    private static Socket begin(Replica api, Account account, String body, int sentBytes) throws IOException {
        return RawConnection.begin(
                api.port(),
                "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\nAuthorization: Bearer " + account.key() + "\r\n\r\n"
                        + body.substring(0, sentBytes));
    }

    private static boolean respondsAfterOneMoreByte(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write('x');
        } catch (SocketException closed) {
            return true;
        }
        return socket.getInputStream().available() > 0;
    }

    private static double reserved(Replica api) {
        return api.metrics().sum(MEMORY);
    }
}
