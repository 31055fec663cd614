package dev.oneshot.api.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A body of 5,000 bytes that may take 5 s, so at least 1,000 bytes a second. */
class PaceTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Pace pace = new Pace(5_000, Duration.ofSeconds(5));

    @Test
    void clientMayPauseForLessThanASecond() {
        assertThat(pace.isSlow(SECOND - 1, SECOND)).isFalse();
        assertThat(pace.isSlow(SECOND, SECOND)).isTrue();
    }

    @Test
    void pacesOnBothSides() {
        pace.moved(SECOND / 2, 500);
        pace.moved(SECOND / 2, 1_000);
        assertThat(pace.isSlow(0, SECOND)).isFalse();
        pace.moved(SECOND, 1_999);
        assertThat(pace.isSlow(0, SECOND)).isTrue();
    }

    /** While many wait. The moved bytes may have taken a second for 1,000. */
    @Test
    void withLessPatienceClientsAreSlowSooner() {
        long patience = SECOND / 4;
        assertThat(pace.isSlow(patience - 1, patience)).isFalse();
        assertThat(pace.isSlow(patience, patience)).isTrue();
        pace.moved(patience / 2, 500);
        assertThat(pace.isSlow(SECOND / 2 + patience / 2 - 1, patience)).isFalse();
        assertThat(pace.isSlow(SECOND / 2 + patience / 2, patience)).isTrue();
        assertThat(pace.isSlow(SECOND / 2 + patience / 2, SECOND)).isFalse();
        pace.moved(0, 4_999);
        assertThat(pace.isSlow(SECOND - 1, patience)).isFalse();
        assertThat(pace.isSlow(SECOND, patience)).isTrue();
    }

    @Test
    void clientThatWithholdsTheLastByteIsSlow() {
        pace.moved(SECOND / 10, 4_999);
        assertThat(pace.isSlow(SECOND / 2, SECOND)).isFalse();
        assertThat(pace.isSlow(SECOND, SECOND)).isTrue();
    }

    @Test
    void clientThatDripsAfterABurstIsSlow() {
        pace.moved(SECOND / 2, 4_900);
        for (int i = 1; i <= 6; i++) {
            pace.moved(SECOND / 2, 4_900 + i);
        }
        assertThat(pace.isSlow(0, SECOND)).isTrue();
    }
}
