package dev.oneshot.api;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Replaces the service's clock. A test may set it wrong; the database's clock stays right. */
@Alternative
@Priority(1)
@Singleton
public final class TestClock implements InstantSource {

    private static final Duration RIGHT = Duration.ZERO;

    private static volatile Duration wrongBy = RIGHT;

    @Override
    public Instant instant() {
        return Clock.systemUTC().instant().plus(wrongBy);
    }

    /** Moves the clock forward, or back by a negative duration. */
    public static void putWrong(Duration by) {
        wrongBy = by;
    }

    /** Sets the clock right. */
    public static void putRight() {
        wrongBy = RIGHT;
    }
}
