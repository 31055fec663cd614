package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A client that asks for megabytes of replies before it takes the first of them. */
class LateListenerTest extends OwnServers {

    private static final int COMMANDS = 50_000;

    @Test
    void clientThatReadsLateGetsEveryReplyInOrder() throws Exception {
        try (SmtpTestServer server = server(Map.of());
                SmtpClient client = SmtpClient.connect(server.port())) {
            CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> ask(client));
            assertThat(client.reply()).startsWith("220 ");
            for (int i = 0; i < COMMANDS; i++) {
                assertThat(client.reply()).startsWith("250-mx.example");
                assertThat(client.reply()).startsWith("252 ");
            }
            assertThat(client.reply()).startsWith("221 ");
            assertThat(client.reply()).isEmpty();
            asking.join();
        }
    }

    private static void ask(SmtpClient client) {
        byte[] some = "EHLO a\r\nVRFY b\r\n".repeat(COMMANDS / 10).getBytes(StandardCharsets.US_ASCII);
        try {
            for (int i = 0; i < 10; i++) {
                client.write(some);
            }
            client.write("QUIT\r\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
