package dev.oneshot.api.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.runtime.ShutdownEvent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BackgroundWorkTest {

    private final BackgroundWork work = new BackgroundWork(() -> Duration.ofSeconds(20));

    @Test
    void aStopWaitsForATaskThatHasBegun() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> task = CompletableFuture.runAsync(() -> work.run(() -> {
            begun.countDown();
            await().until(work::isStopping);
            ended.set(true);
        }));
        begun.await();

        work.beginToStop(new ShutdownEvent());
        work.stop(new ShutdownEvent());

        assertThat(ended).isTrue();
        task.get();
    }

    @Test
    void noTaskBeginsOnceTheServiceStops() throws Exception {
        work.beginToStop(new ShutdownEvent());
        work.stop(new ShutdownEvent());

        CompletableFuture.runAsync(() -> work.run(() -> {
                    throw new IllegalStateException("began");
                }))
                .get();
    }
}
