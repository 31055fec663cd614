package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.testing.SmtpClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client fills the memory and then sends nothing, while another one waits for memory. */
class SheddingTest extends OwnServers {

    private static final int MEMORY = (1 << 20) + 64 * 1024;
    // A little more than the size before the last segment, so that the client has sent nearly all when that is
    // reserved.
    private static final int LAST_SEGMENT_FROM = 768 * 1024;
    private static final int ALL_SEGMENTS = 1 << 20;
    private static final String ALMOST_ALL = "Subject: x\r\n\r\n" + "y\r\n".repeat(LAST_SEGMENT_FROM / 3 + 1_000);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messageThatOthersWaitForLosesItsMemoryAndGets452AtItsEnd(boolean inChunks) throws Exception {
        MessageMemory memory = new MessageMemory(MEMORY, MEMORY, Duration.ofMinutes(2));
        try (SmtpTestServer server = server(memory, Map.of("memory-wait", "1s"));
                SmtpClient slow = transaction(server);
                SmtpClient other = transaction(server)) {
            String begin = inChunks ? "BDAT " + ALMOST_ALL.length() + "\r\n" : "DATA\r\n";
            slow.write(begin + ALMOST_ALL);
            assertThat(slow.reply()).startsWith(inChunks ? "250 2.0.0 " : "354 ");
            await().until(() -> memory.reserved() == ALL_SEGMENTS);
            other.write("DATA\r\n");
            await().until(() -> memory.waiting() == 1);

            assertThat(other.reply()).startsWith("354 ");
            other.write("Subject: other\r\n.\r\n");
            assertThat(other.reply()).startsWith("250 2.0.0 Stored");
            slow.write(inChunks ? "BDAT 0 LAST\r\n" : "the end\r\n.\r\n");
            assertThat(slow.reply()).startsWith("452 4.3.1 ");
            assertThat(slow.say("NOOP")).startsWith("250 ");
            assertThat(memory.reserved()).isZero();
        }
    }

    private static SmtpClient transaction(SmtpTestServer server) throws Exception {
        SmtpClient client = SmtpClient.greeted(server.port());
        client.say("MAIL FROM:<>");
        assertThat(client.say("RCPT TO:<open@in.example>")).startsWith("250 ");
        return client;
    }
}
