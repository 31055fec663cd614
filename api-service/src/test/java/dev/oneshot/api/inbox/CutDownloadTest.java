package dev.oneshot.api.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.LogLines;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMail;
import dev.oneshot.contracts.event.MailInbound;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Mail that goes while somebody is reading it. */
@ServiceTest
class CutDownloadTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void deletionEndsADownloadBeforeItsLengthSays() throws IOException {
        String id = account.waitingAddress(600);
        MailInbound mail = TestMail.large(id);
        TestMail.publish(mail);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                account.request().get("/v1/addresses/" + id).<String>path("status"))
                        .isEqualTo("received"));
        try (LogLines log = LogLines.of("dev.oneshot");
                Socket socket = new Socket()) {
            // Before it is connected, or the service may send all of it at once.
            socket.setReceiveBufferSize(8 * 1024);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
            socket.getOutputStream()
                    .write(("GET /v1/addresses/" + id + "/email/raw HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                    + account.apiKey() + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");

            account.request().delete("/v1/addresses/" + id).then().statusCode(204);

            assertThat(octetsUntilTheEnd(socket.getInputStream()))
                    .isLessThan(mail.raw().length());
            assertThat(log.lines())
                    .filteredOn(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
                    .isEmpty();
        }
    }

    /** Whether the connection is closed or reset is all the same. */
    private static long octetsUntilTheEnd(InputStream in) throws IOException {
        long octets = 0;
        byte[] piece = new byte[64 * 1024];
        try {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                octets += read;
            }
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
        return octets;
    }
}
