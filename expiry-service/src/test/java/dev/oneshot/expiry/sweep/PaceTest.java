package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

    private final Pace pace = new Pace();

    @Test
    void pauseIsAsLongAsTheBatchWhileTheDatabaseIsCalm() {
        assertThat(pace.after(200, Duration.ofMillis(20))).isEqualTo(Duration.ofMillis(20));
        assertThat(pace.after(50, Duration.ofMillis(5))).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void pauseIsLongerWhileTheDatabaseIsBusy() {
        Duration calm = pace.after(200, Duration.ofMillis(20));

        Duration busy = pace.after(200, Duration.ofMillis(40));

        assertThat(calm).isEqualTo(Duration.ofMillis(20));
        assertThat(busy).isBetween(Duration.ofMillis(75), Duration.ofMillis(80));
    }

    @Test
    void sweepKeepsAQuarterOfItsSpeed() {
        Duration calm = pace.after(200, Duration.ofMillis(20));

        Duration slow = pace.after(200, Duration.ofMillis(100));

        assertThat(calm).isEqualTo(Duration.ofMillis(20));
        assertThat(slow).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void pauseIsShortEvenAfterABatchThatStalled() {
        Duration calm = pace.after(200, Duration.ofMillis(20));

        Duration stalled = pace.after(200, Duration.ofSeconds(10));

        assertThat(calm).isEqualTo(Duration.ofMillis(20));
        assertThat(stalled).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void slowerRowsAreTheCalmOnesAfterAWhile() {
        Duration pause = pace.after(200, Duration.ofMillis(20));
        assertThat(pause).isEqualTo(Duration.ofMillis(20));

        for (int batch = 0; batch < 100; batch++) {
            pause = pace.after(200, Duration.ofMillis(40));
        }

        assertThat(pause).isEqualTo(Duration.ofMillis(40));
    }
}
