package dev.oneshot.mailer.sending;

import static dev.oneshot.contracts.setting.ValidSetting.atLeast;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Computes the time of the next attempt. */
@Singleton
class RetrySchedule {

    private static final String KEY = "oneshot.mailer.retry.";
    /** The largest random extension of a pause, as a fraction of it. It spreads mails that failed together. */
    private static final double JITTER = 0.2;

    private final RetryConfig config;
    private final InstantSource clock;

    RetrySchedule(RetryConfig config, InstantSource clock) {
        atLeast(KEY + "first-pause", config.firstPause(), Duration.ofMillis(1));
        atLeast(KEY + "longest-pause", config.longestPause(), config.firstPause());
        atLeast(KEY + "attempts", config.attempts(), 1);
        this.config = config;
        this.clock = clock;
    }

    /**
     * The next attempt after {@code attempts} failed ones. Empty if that was the last, or if the address expires
     * before another. If a pause is too long for the address, the first pause is taken.
     */
    Optional<Instant> after(int attempts, Instant expiresAt) {
        if (attempts >= config.attempts()) {
            return Optional.empty();
        }
        double firstMillis = config.firstPause().toMillis();
        double longestMillis = config.longestPause().toMillis();
        Instant next = in(Math.min(firstMillis * Math.pow(2, attempts - 1), longestMillis));
        return Optional.of(next.isBefore(expiresAt) ? next : in(firstMillis)).filter(due -> due.isBefore(expiresAt));
    }

    private Instant in(double pauseMillis) {
        double factor = 1 + JITTER * ThreadLocalRandom.current().nextDouble();
        return clock.instant().plusMillis((long) (pauseMillis * factor));
    }
}
