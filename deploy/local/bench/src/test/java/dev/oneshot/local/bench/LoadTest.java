package dev.oneshot.local.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadTest {

    private static Load<AutoCloseable> load(int workers, Load.Operation<AutoCloseable> operation) {
        return new Load<>(workers, () -> () -> {}, operation);
    }

    @Test
    void noMoreThanTheOperationsAllowedAreDone() throws Exception {
        AtomicInteger called = new AtomicInteger();

        Load.Outcome outcome = load(3, _ -> called.incrementAndGet() > 0).peak(Duration.ofMinutes(1), 500);

        assertThat(called).hasValue(500);
        assertThat(outcome.done()).isEqualTo(500);
        assertThat(outcome.latency().getTotalCount()).isEqualTo(500);
    }

    @Test
    void refusalsAreCountedApart() throws Exception {
        AtomicInteger called = new AtomicInteger();

        Load.Outcome outcome = load(1, _ -> called.incrementAndGet() % 4 != 0).peak(Duration.ofMinutes(1), 100);

        assertThat(outcome.done()).isEqualTo(75);
        assertThat(outcome.refused()).isEqualTo(25);
    }

    @Test
    void aFixedRateDoesAsMuchAsIsDue() throws Exception {
        Load.Outcome outcome = load(4, _ -> true).atRate(200, Duration.ofMillis(500));

        assertThat(outcome.done()).isEqualTo(100);
    }

    @Test
    void aFailureEndsTheMeasurement() {
        Load<?> load = load(2, _ -> {
            throw new IOException("gone");
        });

        assertThatThrownBy(() -> load.peak(Duration.ofMinutes(1)))
                .hasRootCauseExactlyInstanceOf(IOException.class)
                .hasRootCauseMessage("gone");
    }

    @Test
    void aLoadInTheBackgroundRunsUntilItIsStopped() throws Exception {
        CountDownLatch called = new CountDownLatch(3);

        Load.Running running = load(1, _ -> {
                    called.countDown();
                    return true;
                })
                .start(1000);
        called.await();
        Load.Outcome outcome = running.stop();

        assertThat(outcome.done()).isGreaterThanOrEqualTo(3);
    }
}
