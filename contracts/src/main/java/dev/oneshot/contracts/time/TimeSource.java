package dev.oneshot.contracts.time;

import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Provides the clock of a service that has none of its own. */
final class TimeSource {

    @Produces
    @Singleton
    @DefaultBean
    static final InstantSource CLOCK = InstantSource.system();
}
