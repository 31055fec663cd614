package dev.oneshot.api.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMetrics;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of requests that declare bodies and do not send all of them, from many accounts. */
@ServiceTest
class StalledBodyTest {

    private static final String LARGE = "oneshot_http_body_memory_bytes";
    private static final String SMALL = "oneshot_http_body_small_memory_bytes";

    private final TestAccount account = TestAccount.onPlan("free");

    /** They would need more than all of the memory. Each lacks its last byte. */
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 2900001\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n2c4021\r\n"})
    void largeOnesLoseTheirPlaceWhileOthersWait(String length) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (TestAccount stalled : accounts(20)) {
                sockets.add(begin(stalled, length + ignored(2_899_900)));
            }
            await().until(() -> TestMetrics.sum(LARGE) > 150_000_000);

            account.create(ignored(1_000_000) + "\"}").then().statusCode(201);
        } finally {
            closeAll(sockets);
        }
        await().until(() -> TestMetrics.sum(LARGE) == 0);
    }

    /** The stalled bodies come first and need fourteen times the memory. If each kept it for a second, others would wait too long. */
    @Test
    void crowdOfLargeOnesDoesNotKeepOthersOut() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (TestAccount stalled : accounts(250)) {
                sockets.add(begin(stalled, "Content-Length: 2900001\r\n\r\n" + ignored(5_000)));
            }
            await().until(() -> TestMetrics.sum(LARGE) > 150_000_000);

            account.create(ignored(1_000_000) + "\"}").then().statusCode(201);
        } finally {
            closeAll(sockets);
        }
        await().until(() -> TestMetrics.sum(LARGE) == 0);
    }

    @Test
    void smallOnesLoseTheirPlaceWhileOthersWait() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (TestAccount stalled : accounts(10)) {
                for (int i = 0; i < 10; i++) {
                    sockets.add(begin(stalled, "Content-Length: 65000\r\n\r\n" + ignored(60_000)));
                }
            }
            await().until(() -> TestMetrics.sum(SMALL) > 16_000_000);

            account.create(ignored(60_000) + "\"}").then().statusCode(201);
        } finally {
            closeAll(sockets);
        }
        await().until(() -> TestMetrics.sum(SMALL) == 0);
    }

    /** The plan's largest mail in base64 and 256 KiB. */
    @Test
    void bodyAboveThePlansBoundIsRejectedUnread() throws IOException {
        int max = Math.ceilDiv(2 * 1024 * 1024, 3) * 4 + 256 * 1024;
        String body = ignored(max - 14) + "\"}";
        account.create(body).then().statusCode(201);

        assertThat(account.exchange("POST /v1/addresses HTTP/1.1\r\nContent-Length: " + (max + 1)))
                .startsWith("HTTP/1.1 422 ")
                .contains("the body must have at most " + max + " bytes on the plan free");
        assertThat(account.exchange("POST /v1/addresses HTTP/1.1\r\nContent-Length: 50331648"))
                .startsWith("HTTP/1.1 422 ");
        assertThat(account.exchange("POST /v1/addresses HTTP/1.1\r\nContent-Length: 50331649"))
                .startsWith("HTTP/1.1 413 ")
                .contains("PAYLOAD_TOO_LARGE", "the body must have at most 50331648 bytes");
        assertThat(account.exchange("POST /v1/nothing HTTP/1.1\r\nContent-Length: " + (max + 1)))
                .startsWith("HTTP/1.1 404 ");
        assertThat(account.exchange(
                        "POST /v1/addresses HTTP/1.1\r\nTransfer-Encoding: chunked",
                        Integer.toHexString(max + 1) + "\r\n" + body + " \r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 422 ");
    }

    private static List<TestAccount> accounts(int count) {
        return Stream.generate(() -> TestAccount.onPlan("free")).limit(count).toList();
    }

    private static void closeAll(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static Socket begin(TestAccount stalled, String lengthAndBody) throws IOException {
        return RawHttp.begin(
                "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        + stalled.apiKey() + "\r\n" + lengthAndBody);
    }

    private static String ignored(int characters) {
        return "{\"ignored\":\"" + "x".repeat(characters);
    }
}
