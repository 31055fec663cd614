package dev.oneshot.contracts.time;

import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Provides the clock of services. A test may replace it. */
final class TimeSource {

    @Produces
    @Singleton
    @DefaultBean
    static final InstantSource CLOCK = InstantSource.system();
}
