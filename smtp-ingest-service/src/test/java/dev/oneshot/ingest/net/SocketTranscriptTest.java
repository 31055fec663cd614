package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.transcript.Delivered;
import dev.oneshot.ingest.transcript.Transcript;
import dev.oneshot.ingest.transcript.Transcript.Step;
import dev.oneshot.testing.SmtpClient;
import dev.oneshot.testing.TrustingTls;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every transcript against the server over a socket. The client waits for each reply. */
class SocketTranscriptTest extends OwnServers {

    @TestFactory
    Stream<DynamicTest> isPlayedReplyByReply() throws IOException {
        return Transcript.all().stream().map(t -> dynamicTest(t.toString(), () -> play(t)));
    }

    private void play(Transcript transcript) throws Exception {
        Delivered delivered = new Delivered(transcript);
        MessageMemory memory = new MessageMemory(
                transcript.memoryBytesMax(), transcript.policy().messageBytesMax() + 64 * 1024, Duration.ZERO);
        try (SmtpTestServer server = new SmtpTestServer(
                        vertx,
                        transcript.policy(),
                        memory,
                        certificate.asRegistry(),
                        Map.of("tls-configuration-name", "smtp"),
                        transaction -> CompletableFuture.supplyAsync(() -> delivered.take(transaction)));
                SmtpClient client = SmtpClient.connect(server.port())) {
            SmtpClient current = client;
            StringBuilder replies = new StringBuilder();
            for (Step step : transcript.steps()) {
                switch (step) {
                    case Step.Send send -> current.write(send.octets());
                    case Step.Expect expect -> {
                        // The reply that ends with this line.
                        if (!expect.line().startsWith("-", 3)) {
                            replies.append(current.reply().replace("\n", "\r\n"))
                                    .append("\r\n");
                        }
                    }
                    case Step.Handshake _ -> current = SmtpClient.over(TrustingTls.handshake(current.socket()));
                }
            }
            if (transcript.closes()) {
                if (current == client) {
                    // Otherwise the server waits for more bytes.
                    client.socket().shutdownOutput();
                }
                assertThat(current.reply()).as("after the end").isEmpty();
            }
            assertThat(replies.toString()).matches(transcript.replies());
        }
        delivered.check();
        await().pollDelay(Duration.ZERO)
                .untilAsserted(() -> assertThat(memory.reserved())
                        .as("memory held in the end")
                        .isZero());
    }
}
