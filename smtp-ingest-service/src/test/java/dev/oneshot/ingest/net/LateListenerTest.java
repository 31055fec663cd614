package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.testing.SmtpClient;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A client sends commands for megabytes of replies before it reads the first reply. */
class LateListenerTest extends OwnServers {

    private static final int COMMANDS = 50_000;

    @Test
    void clientThatReadsLateGetsEveryReplyInOrder() throws Exception {
        try (SmtpTestServer server = server(Map.of());
                SmtpClient client = SmtpClient.connect(server.port());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> asking = threads.submit(() -> {
                client.write("EHLO a\r\nVRFY b\r\n".repeat(COMMANDS) + "QUIT\r\n");
                return null;
            });
            assertThat(client.reply()).startsWith("220 ");
            for (int i = 0; i < COMMANDS; i++) {
                assertThat(client.reply()).startsWith("250-mx.example");
                assertThat(client.reply()).startsWith("252 ");
            }
            assertThat(client.reply()).startsWith("221 ");
            assertThat(client.reply()).isEmpty();
            asking.get();
        }
    }
}
