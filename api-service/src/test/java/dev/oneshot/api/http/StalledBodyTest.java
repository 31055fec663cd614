package dev.oneshot.api.http;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of a request that declares one of the largest bodies and does not send it. */
@ServiceTest
class StalledBodyTest {

    private static final String LARGE = "oneshot_http_body_memory_bytes";
    private static final String SMALL = "oneshot_http_body_small_memory_bytes";

    private final TestAccount stalled = TestAccount.onPlan("scale");
    private final TestAccount other = TestAccount.onPlan("scale");

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 50000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n100000\r\n"})
    void itLeavesHalfOfTheMemoryToOthers(String length) throws IOException {
        try (Socket _ = begin(length + ignored(100_000))) {
            await().until(() -> TestMetrics.sum(LARGE) > 0);

            other.create(ignored(7_000_000) + "\"}").then().statusCode(201);

            assertThat(TestMetrics.sum(LARGE)).as("it still holds its half").isPositive();
        }
        await().until(() -> TestMetrics.sum(LARGE) == 0);
    }

    /** Thousands of them use no more memory than a few large ones. */
    @Test
    void smallOnesAreCountedAndLeaveOthersTheirRoom() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (String length :
                    List.of("Content-Length: 10000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n10000\r\n")) {
                sockets.add(begin(length + ignored(6_000)));
            }
            await().until(() -> TestMetrics.sum(SMALL) == 3 * (10_000 + 64 * 1024));

            other.create(ignored(60_000) + "\"}").then().statusCode(201);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        await().until(() -> TestMetrics.sum(SMALL) == 0);
    }

    private Socket begin(String lengthAndBody) throws IOException {
        return RawHttp.begin(
                "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        + stalled.apiKey() + "\r\n" + lengthAndBody);
    }

    private static String ignored(int characters) {
        return "{\"ignored\":\"" + "x".repeat(characters);
    }
}
