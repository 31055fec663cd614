package dev.oneshot.mailer.sending;

import static dev.oneshot.contracts.setting.ValidSetting.require;

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

    private final RetryConfig config;
    private final InstantSource clock;

    RetrySchedule(RetryConfig config, InstantSource clock) {
        require(config.shortPause().isPositive(), KEY + "short-pause must be positive");
        require(
                config.mediumPause().compareTo(config.shortPause()) >= 0,
                KEY + "medium-pause must not be below short-pause");
        require(
                config.longPause().compareTo(config.mediumPause()) >= 0,
                KEY + "long-pause must not be below medium-pause");
        require(config.shortTries() >= 0, KEY + "short-tries must not be negative");
        require(config.mediumTries() >= 0, KEY + "medium-tries must not be negative");
        require(config.longTries() >= 0, KEY + "long-tries must not be negative");
        require(config.jitter() >= 0 && config.jitter() <= 1, KEY + "jitter must be between 0 and 1");
        this.config = config;
        this.clock = clock;
    }

    /**
     * The next attempt after {@code attempts} failed ones. Empty if that was the last, or if the address expires
     * before another. If a pause is too long for the address, a short pause is taken.
     */
    Optional<Instant> after(int attempts, Instant expiresAt) {
        int mediumFrom = config.shortTries();
        int longFrom = mediumFrom + config.mediumTries();
        if (attempts > longFrom + config.longTries()) {
            return Optional.empty();
        }
        Instant next;
        if (attempts <= mediumFrom) {
            next = in(config.shortPause());
        } else if (attempts <= longFrom) {
            next = in(config.mediumPause());
        } else {
            next = in(config.longPause());
        }
        if (!next.isBefore(expiresAt)) {
            next = in(config.shortPause());
        }
        return Optional.of(next).filter(due -> due.isBefore(expiresAt));
    }

    private Instant in(Duration pause) {
        double factor = 1 + config.jitter() * ThreadLocalRandom.current().nextDouble();
        return clock.instant().plusMillis((long) (pause.toMillis() * factor));
    }
}
