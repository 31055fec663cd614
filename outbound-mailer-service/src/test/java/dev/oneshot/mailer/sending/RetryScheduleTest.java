package dev.oneshot.mailer.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryScheduleTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final Instant FAR = NOW.plus(Duration.ofDays(1));
    private static final Config CONFIG = new Config(Duration.ofSeconds(15), 2, 0.2);

    private final RetrySchedule schedule = new RetrySchedule(CONFIG, () -> NOW, new Random(1));

    @ParameterizedTest
    @CsvSource({"1,15", "2,15", "3,120", "5,120", "6,900", "9,900"})
    void pausesGrowWithTheAttempts(int attempts, int seconds) {
        assertThat(schedule.after(attempts, FAR).orElseThrow())
                .isBetween(NOW.plusSeconds(seconds), NOW.plusSeconds(seconds * 12L / 10));
    }

    @Test
    void theLastTryIsTheLast() {
        assertThat(schedule.after(10, FAR)).isEmpty();
    }

    @Test
    void aPauseIsProlongedByAtMostItsJitter() {
        for (int i = 0; i < 1000; i++) {
            assertThat(schedule.after(1, FAR).orElseThrow()).isBetween(NOW.plusSeconds(15), NOW.plusSeconds(18));
        }
    }

    @Test
    void anAddressThatExpiresDuringThePauseIsTriedOnceMoreBefore() {
        assertThat(schedule.after(8, NOW.plusSeconds(60)).orElseThrow())
                .isBetween(NOW.plusSeconds(15), NOW.plusSeconds(18));
    }

    @Test
    void anAddressThatExpiresBeforeAnyPauseIsGivenUp() {
        assertThat(schedule.after(1, NOW.plusSeconds(15))).isEmpty();
    }

    @Test
    void everyBadValueNamesItsKey() {
        assertThatThrownBy(() -> new RetrySchedule(new Config(Duration.ZERO, 1, 0), () -> NOW, new Random()))
                .hasMessageContaining("oneshot.mailer.retry.short-pause");
        assertThatThrownBy(() -> new RetrySchedule(new Config(Duration.ofMinutes(3), 1, 0), () -> NOW, new Random()))
                .hasMessageContaining("oneshot.mailer.retry.medium-pause");
        assertThatThrownBy(() -> new RetrySchedule(new Config(Duration.ofSeconds(1), -1, 0), () -> NOW, new Random()))
                .hasMessageContaining("oneshot.mailer.retry.short-tries");
        assertThatThrownBy(() -> new RetrySchedule(new Config(Duration.ofSeconds(1), 1, 1.1), () -> NOW, new Random()))
                .hasMessageContaining("oneshot.mailer.retry.jitter");
    }

    private record Config(Duration shortPause, int shortTries, double jitter) implements RetryConfig {
        @Override
        public Duration mediumPause() {
            return Duration.ofMinutes(2);
        }

        @Override
        public int mediumTries() {
            return 3;
        }

        @Override
        public Duration longPause() {
            return Duration.ofMinutes(15);
        }

        @Override
        public int longTries() {
            return 4;
        }
    }
}
