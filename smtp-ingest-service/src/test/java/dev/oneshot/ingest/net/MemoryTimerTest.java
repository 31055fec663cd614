package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.testing.SmtpClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTimerTest {

    /** The first timer of a Vert.x has the id 0, which is a number like any other. */
    @Test
    void sessionThatNeverWaitedLeavesTheTimersOfOthersAlone() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            long first = vertx.setTimer(Duration.ofHours(1).toMillis(), _ -> {});
            assertThat(first).isZero();
            MessageMemory memory = new MessageMemory(1000, 1000, Duration.ZERO);
            SmtpMetrics metrics = new SmtpMetrics(
                    new SimpleMeterRegistry(),
                    new ConnectionCounts(1, ClientNetworksTest.networks(1, 0, 0, 1)),
                    memory);

            new MemoryWait(memory.room(), Duration.ofSeconds(10), metrics, vertx.getOrCreateContext()).leave();

            assertThat(vertx.cancelTimer(first)).isTrue();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get();
        }
    }

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
                await().untilAsserted(() -> assertThat(server.counts().all()).isZero());
            }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get();
        }
    }
}
