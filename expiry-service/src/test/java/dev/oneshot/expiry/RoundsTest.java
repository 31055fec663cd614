package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicBoolean stopped = new AtomicBoolean();

    /** Otherwise its connection would be closed in the middle of a batch. */
    @Test
    void stopWaitsForTheRoundThatHasBegun() throws Exception {
        // Given
        Rounds rounds = rounds(Duration.ofMinutes(1));
        AtomicBoolean endedFirst = new AtomicBoolean();
        Thread stopper = Thread.ofPlatform().unstarted(() -> stop(rounds));
        Thread worker = Thread.ofPlatform()
                .start(() -> rounds.run("a task", () -> {
                    begun.countDown();
                    Awaitility.await()
                            .until(() -> stopper.getState() == Thread.State.TIMED_WAITING
                                    || stopper.getState() == Thread.State.TERMINATED);
                    endedFirst.set(!stopped.get());
                }));
        begun.await();

        // When
        stopper.start();

        // Then
        worker.join();
        stopper.join();
        assertThat(endedFirst).isTrue();
        assertThat(stopped).isTrue();
    }

    @Test
    void roundThatTakesTooLongIsNotWaitedFor() throws Exception {
        Rounds rounds = rounds(Duration.ZERO);
        CountDownLatch held = new CountDownLatch(1);
        AtomicReference<@Nullable InterruptedException> interrupted = new AtomicReference<>();
        Thread worker = Thread.ofPlatform()
                .start(() -> rounds.run("a task", () -> {
                    begun.countDown();
                    try {
                        held.await();
                    } catch (InterruptedException e) {
                        interrupted.set(e);
                    }
                }));
        begun.await();

        stop(rounds);

        assertThat(worker.isAlive()).isTrue();
        held.countDown();
        worker.join();
        assertThat(interrupted.get()).isNull();
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

    private void stop(Rounds rounds) {
        try {
            rounds.stop(new ShutdownEvent());
            stopped.set(true);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
