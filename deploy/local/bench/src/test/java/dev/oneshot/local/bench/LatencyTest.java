package dev.oneshot.local.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyTest {

    @Test
    void percentilesAreOfAllThatWasRecorded() {
        Latency latency = new Latency();
        for (int millis = 1; millis <= 100; millis++) {
            latency.record(TimeUnit.MILLISECONDS.toNanos(millis));
        }

        assertThat(latency.count()).isEqualTo(100);
        assertThat(latency.percentileMillis(50)).isCloseTo(50, within(0.1));
        assertThat(latency.percentileMillis(99)).isCloseTo(99, within(0.1));
        assertThat(latency.count()).isEqualTo(100);
    }

    @Test
    void longerThanAMinuteCountsAsAMinute() {
        Latency latency = new Latency();

        latency.record(TimeUnit.HOURS.toNanos(1));

        assertThat(latency.percentileMillis(100)).isCloseTo(60_000, within(60.0));
    }
}
