package dev.oneshot.api.inbox;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMetrics;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients of many accounts that ask for large mails and do not take the responses. */
@ServiceTest
class SlowReaderTest {

    private static final String RESERVED = "oneshot_inbox_read_memory_reserved_bytes";
    private static final String MESSAGE = "Subject: large\r\n\r\n" + ("x".repeat(78) + "\r\n").repeat(24_000);

    private final TestAccount account = TestAccount.onPlan("free");

    /** They would need more than all of the memory. */
    @Test
    void theyLoseTheirPlaceWhileOthersWait() throws IOException {
        String id = account.received(MESSAGE);
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 9; i++) {
                TestAccount stalled = TestAccount.onPlan("free");
                String large = stalled.received(MESSAGE);
                sockets.add(begin(stalled, large));
                sockets.add(begin(stalled, large));
            }
            await().until(() -> TestMetrics.sum(RESERVED) > 120_000_000);

            account.get(id + "/email").then().statusCode(200);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        await().until(() -> TestMetrics.sum(RESERVED) == 0);
    }

    private static Socket begin(TestAccount stalled, String id) throws IOException {
        Socket socket = new Socket();
        // Otherwise the system would take the response for the client.
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
        socket.getOutputStream()
                .write(("GET /v1/addresses/" + id + "/email HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                + stalled.apiKey() + "\r\n\r\n")
                        .getBytes(US_ASCII));
        return socket;
    }
}
