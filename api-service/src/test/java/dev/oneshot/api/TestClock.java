package dev.oneshot.api;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of the replica under test, which a test may set wrong; the database's clock stays right. */
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

    /** Replaces the service's clock. */
    static class Producer {

        @Produces
        @Singleton
        @Alternative
        @Priority(1)
        InstantSource clock() {
            return new TestClock();
        }
    }
}
