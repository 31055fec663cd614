package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.testing.SmtpClient;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTimerTest {

    @Test
    void boundsOfTimeHoldForTheNextClientAsTheyDidForTheFirst(@TempDir Path folder) throws Exception {
        Vertx vertx = Vertx.vertx();
        SmtpCertificate certificate = SmtpCertificate.create(folder.resolve("smtp.p12"), "mx.example");
        try (SmtpTestServer server = new SmtpTestServer(
                vertx,
                SmtpTestServer.policy(),
                SmtpTestServer.memoryOf(10_000_000),
                certificate.asRegistry(),
                Map.of("idle-timeout", "100ms"),
                _ -> CompletableFuture.completedFuture(DeliveryOutcome.STORED))) {
            for (int i = 0; i < 3; i++) {
                try (SmtpClient client = SmtpClient.connect(server.port())) {
                    assertThat(client.reply()).startsWith("220 ");
                    assertThat(client.reply()).startsWith("421 4.4.2 Idle too long");
                }
                await().untilAsserted(() -> assertThat(server.connections()).isZero());
            }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get();
        }
    }
}
