package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CompletableFuture<Void> held = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    /** A stop that does not wait closes the connection in the middle of a batch. */
    @Test
    void stopWaitsForTheRoundThatHasBegun() throws Exception {
        Rounds rounds = rounds(Duration.ofMinutes(1));
        begin(rounds);
        FutureTask<Boolean> stop = new FutureTask<>(() -> {
            rounds.stop(new ShutdownEvent());
            return ended.get();
        });

        Thread stopper = Thread.ofPlatform().start(stop);
        Awaitility.await().until(() -> stopper.getState() == Thread.State.TIMED_WAITING);
        held.complete(null);

        assertThat(stop.get()).isTrue();
    }

    @Test
    void roundThatTakesTooLongIsNotWaitedFor() throws Exception {
        Rounds rounds = rounds(Duration.ZERO);
        Thread worker = begin(rounds);

        rounds.stop(new ShutdownEvent());

        assertThat(ended).isFalse();
        held.complete(null);
        worker.join();
        assertThat(ended).as("it was not interrupted").isTrue();
    }

    @Test
    void failureIsCountedAndTheNextRoundRuns() {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        Rounds rounds = new Rounds(() -> Duration.ZERO, metrics);
        AtomicBoolean ran = new AtomicBoolean();
        rounds.register("a task");
        Counter failures =
                metrics.get("oneshot.expiry.failures").tag("task", "a task").counter();
        assertThat(failures.count()).isZero();

        rounds.run("a task", () -> {
            throw new SQLException("of the test");
        });
        rounds.run("a task", () -> ran.set(true));

        assertThat(failures.count()).isEqualTo(1);
        assertThat(ran).isTrue();
    }

    @Test
    void nothingBeginsAfterTheStop() throws Exception {
        Rounds rounds = rounds(Duration.ofMinutes(1));
        AtomicBoolean ran = new AtomicBoolean();

        rounds.run("a task", () -> ran.set(true));
        assertThat(ran).isTrue();
        ran.set(false);
        rounds.stop(new ShutdownEvent());
        rounds.run("a task", () -> ran.set(true));

        assertThat(ran).isFalse();
    }

    private static Rounds rounds(Duration stopTimeout) {
        return new Rounds(() -> stopTimeout, new SimpleMeterRegistry());
    }

    /** Begins a round that goes on while it is held. */
    private Thread begin(Rounds rounds) throws InterruptedException {
        Thread worker = Thread.ofPlatform()
                .start(() -> rounds.run("a task", () -> {
                    begun.countDown();
                    held.join();
                    ended.set(!Thread.currentThread().isInterrupted());
                }));
        begun.await();
        return worker;
    }
}
