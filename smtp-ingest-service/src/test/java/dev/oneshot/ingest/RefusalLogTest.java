package dev.oneshot.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalLogTest {

    private static final long BEGIN = System.nanoTime() + RefusalLog.INTERVAL.toNanos();
    private static final long INTERVAL = RefusalLog.INTERVAL.toNanos();

    private final RefusalLog refusals = new RefusalLog();

    @Test
    void aFloodIsOneLineASecondWithItsCount() {
        assertThat(refusals.count(BEGIN)).as("the first at once").isEqualTo(1);
        for (int i = 1; i < 1000; i++) {
            assertThat(refusals.count(BEGIN + i)).isZero();
        }
        assertThat(refusals.count(BEGIN + INTERVAL - 1))
                .as("just before the second is over")
                .isZero();

        assertThat(refusals.count(BEGIN + INTERVAL))
                .as("all since the last line")
                .isEqualTo(1001);
        assertThat(refusals.count(BEGIN + 2 * INTERVAL)).isEqualTo(1);
    }
}
