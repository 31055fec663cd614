package dev.oneshot.api.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.runtime.ShutdownEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ScheduledRunsTest {

    private final ScheduledRuns runs = new ScheduledRuns();

    @Test
    void aStopWaitsForATaskThatHasBegun() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> task = CompletableFuture.runAsync(() -> runs.run(() -> {
            begun.countDown();
            await().until(runs::isStopping);
            ended.set(true);
        }));
        begun.await();

        runs.stop(new ShutdownEvent());

        assertThat(ended).isTrue();
        task.get();
    }

    @Test
    void noTaskBeginsOnceTheServiceStops() throws Exception {
        runs.stop(new ShutdownEvent());

        CompletableFuture.runAsync(() -> runs.run(() -> {
                    throw new IllegalStateException("began");
                }))
                .get();
    }
}
