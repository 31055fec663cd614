package dev.oneshot.mailer.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.testing.TestSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryScheduleTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final Instant FAR = NOW.plus(Duration.ofDays(1));

    private final RetrySchedule schedule = schedule(Map.of());

    @ParameterizedTest
    @CsvSource({"1,15", "2,30", "6,480", "7,900", "39,900"})
    void pausesGrowWithTheAttemptsAndHaveAtMostTheirJitter(int attempts, int seconds) {
        for (int i = 0; i < 1000; i++) {
            assertThat(schedule.after(attempts, FAR).orElseThrow())
                    .isBetween(NOW.plusSeconds(seconds), NOW.plusSeconds(seconds * 12L / 10));
        }
    }

    @Test
    void theLastTryIsTheLast() {
        assertThat(schedule.after(40, FAR)).isEmpty();
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

    @ParameterizedTest
    @CsvSource({"first-pause, 0s", "longest-pause, 14s", "attempts, 0"})
    void everyBadValueNamesItsKey(String key, String value) {
        assertThatThrownBy(() -> schedule(Map.of(key, value))).hasMessageContaining("oneshot.mailer.retry." + key);
    }

    private static RetrySchedule schedule(Map<String, String> settings) {
        return new RetrySchedule(TestSettings.of(RetryConfig.class, settings), () -> NOW);
    }
}
