package dev.oneshot.mailer;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** Provides the clock and the random numbers of the service. */
final class TimeSource {

    @Produces
    @Singleton
    InstantSource instantSource() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    RandomGenerator randomGenerator() {
        return new SecureRandom();
    }
}
