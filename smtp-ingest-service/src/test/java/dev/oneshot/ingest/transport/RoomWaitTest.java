package dev.oneshot.ingest.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoomWaitTest {

    /** The first timer of a Vert.x has the id 0, which is a number like any other. */
    @Test
    void sessionThatNeverWaitedLeavesTheTimersOfOthersAlone() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            long first = vertx.setTimer(Duration.ofHours(1).toMillis(), _ -> {});
            assertThat(first).isZero();
            MessageMemory memory = new MessageMemory(1000, 1000, Duration.ZERO);
            SmtpMetrics metrics = new SmtpMetrics(new SimpleMeterRegistry(), new ConnectionCounts(1, 1), memory);

            new RoomWait(memory.room(), Duration.ofSeconds(10), metrics, vertx.getOrCreateContext()).leave();

            assertThat(vertx.cancelTimer(first)).isTrue();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get();
        }
    }
}
