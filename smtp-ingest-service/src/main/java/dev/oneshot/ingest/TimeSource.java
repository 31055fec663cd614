package dev.oneshot.ingest;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.InstantSource;

/** The clock of the service, injected wherever time matters. */
final class TimeSource {

    @Produces
    @Singleton
    InstantSource instantSource() {
        return Clock.systemUTC();
    }
}
