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
        assertThat(pace.isSlow(SECOND - 1)).isFalse();
        assertThat(pace.isSlow(SECOND)).isTrue();
    }

    @Test
    void pacesOnBothSides() {
        pace.moved(SECOND / 2, 500);
        pace.moved(SECOND / 2, 1_000);
        assertThat(pace.isSlow(0)).isFalse();
        pace.moved(SECOND, 1_999);
        assertThat(pace.isSlow(0)).isTrue();
    }

    @Test
    void clientThatWithholdsTheLastByteIsSlow() {
        pace.moved(SECOND / 10, 4_999);
        assertThat(pace.isSlow(SECOND / 2)).isFalse();
        assertThat(pace.isSlow(SECOND)).isTrue();
    }

    @Test
    void clientThatDripsAfterABurstIsSlow() {
        pace.moved(SECOND / 2, 4_900);
        for (int i = 1; i <= 6; i++) {
            pace.moved(SECOND / 2, 4_900 + i);
        }
        assertThat(pace.isSlow(0)).isTrue();
    }
}
