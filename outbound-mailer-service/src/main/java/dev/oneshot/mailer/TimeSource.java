package dev.oneshot.mailer;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.InstantSource;

/** Provides the clock of the service. */
final class TimeSource {

    @Produces
    @Singleton
    InstantSource instantSource() {
        return Clock.systemUTC();
    }
}
