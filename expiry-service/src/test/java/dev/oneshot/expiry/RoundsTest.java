package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.ShutdownEvent;
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
        Rounds rounds = new Rounds(() -> Duration.ofMinutes(1));
        AtomicBoolean endedFirst = new AtomicBoolean();
        Thread stopper = Thread.ofPlatform().unstarted(() -> stop(rounds));
        Thread worker = Thread.ofPlatform()
                .start(() -> rounds.run(() -> {
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
        Rounds rounds = new Rounds(() -> Duration.ZERO);
        CountDownLatch held = new CountDownLatch(1);
        AtomicReference<@Nullable InterruptedException> interrupted = new AtomicReference<>();
        Thread worker = Thread.ofPlatform()
                .start(() -> rounds.run(() -> {
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
    void nothingBeginsAfterTheStop() {
        Rounds rounds = new Rounds(() -> Duration.ofMinutes(1));
        AtomicBoolean ran = new AtomicBoolean();

        rounds.run(() -> ran.set(true));
        assertThat(ran).isTrue();
        ran.set(false);
        stop(rounds);
        rounds.run(() -> ran.set(true));

        assertThat(ran).isFalse();
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
