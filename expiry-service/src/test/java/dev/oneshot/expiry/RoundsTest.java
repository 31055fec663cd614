package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Otherwise its connection would be closed in the middle of a batch. */
    @Test
    void stopWaitsForTheRoundThatHasBegun() throws Exception {
        // Given
        Rounds rounds = rounds(Duration.ofMinutes(1));
        Thread worker = begin(rounds);

        // When
        Thread stopper = Thread.ofPlatform().start(() -> stop(rounds));

        // Then
        Awaitility.await().until(() -> stopper.getState() == Thread.State.TIMED_WAITING);
        held.countDown();
        stopper.join();
        assertThat(ended).isTrue();
        worker.join();
    }

    @Test
    void roundThatTakesTooLongIsNotWaitedFor() throws Exception {
        Rounds rounds = rounds(Duration.ZERO);
        Thread worker = begin(rounds);

        stop(rounds);

        assertThat(ended).isFalse();
        held.countDown();
        worker.join();
        assertThat(ended).as("it was not interrupted").isTrue();
    }

    @Test
    void failureIsCountedAndTheNextRoundRuns() {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        Rounds rounds = new Rounds(() -> Duration.ZERO, metrics);
        AtomicBoolean ran = new AtomicBoolean();
        rounds.announce("a task");
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
    void nothingBeginsAfterTheStop() {
        Rounds rounds = rounds(Duration.ofMinutes(1));
        AtomicBoolean ran = new AtomicBoolean();

        rounds.run("a task", () -> ran.set(true));
        assertThat(ran).isTrue();
        ran.set(false);
        stop(rounds);
        rounds.run("a task", () -> ran.set(true));

        assertThat(ran).isFalse();
    }

    private static Rounds rounds(Duration stopTimeout) {
        return new Rounds(() -> stopTimeout, new SimpleMeterRegistry());
    }

    /** Begins a round that goes on while it is held. */
    private Thread begin(Rounds rounds) {
        Thread worker = Thread.ofPlatform()
                .start(() -> rounds.run("a task", () -> {
                    begun.countDown();
                    await(held);
                    ended.set(true);
                }));
        await(begun);
        return worker;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void stop(Rounds rounds) {
        try {
            rounds.stop(new ShutdownEvent());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
