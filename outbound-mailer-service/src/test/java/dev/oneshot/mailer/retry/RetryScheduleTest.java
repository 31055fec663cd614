package dev.oneshot.mailer.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.event.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryScheduleTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final Instant FAR = NOW.plus(Duration.ofDays(1));
    private static final Config CONFIG = new Config(Duration.ofSeconds(15), 2, 0.2);

    private final RetrySchedule schedule = new RetrySchedule(CONFIG, () -> NOW, new Random(1));

    @ParameterizedTest
    @CsvSource({
        "1,MAIL_RETRY_SHORT",
        "2,MAIL_RETRY_SHORT",
        "3,MAIL_RETRY_MEDIUM",
        "5,MAIL_RETRY_MEDIUM",
        "6,MAIL_RETRY_LONG",
        "9,MAIL_RETRY_LONG"
    })
    void pausesGrowWithTheAttempts(int attempts, Topic topic) {
        assertThat(schedule.after(attempts, FAR).orElseThrow().topic()).isEqualTo(topic);
    }

    @Test
    void theLastTryIsTheLast() {
        assertThat(schedule.after(10, FAR)).isEmpty();
    }

    @Test
    void aPauseIsProlongedByAtMostItsJitter() {
        for (int i = 0; i < 1000; i++) {
            assertThat(schedule.after(1, FAR).orElseThrow().notBefore())
                    .isBetween(NOW.plusSeconds(15), NOW.plusSeconds(18));
        }
    }

    @Test
    void anAddressThatExpiresDuringThePauseIsTriedOnceMoreBefore() {
        assertThat(schedule.after(8, NOW.plusSeconds(60)).orElseThrow().topic()).isEqualTo(Topic.MAIL_RETRY_SHORT);
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

    @Test
    void theHeadersComeBackAndNonsenseIsNone() {
        Headers headers = new RecordHeaders();
        RetryHeaders.set(headers, 3, NOW);
        assertThat(RetryHeaders.attempts(headers)).isEqualTo(3);
        assertThat(RetryHeaders.notBefore(headers)).isEqualTo(NOW);

        Headers nonsense = new RecordHeaders().add("oneshot-attempts", new byte[] {'x'});
        assertThat(RetryHeaders.attempts(nonsense)).isZero();
        assertThat(RetryHeaders.notBefore(nonsense)).isEqualTo(Instant.EPOCH);
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
