package dev.oneshot.api;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.InstantSource;

/** The time, as everybody here has it injected. What has expired is for the database's clock to say. */
class SystemClock {

    @Produces
    @Singleton
    InstantSource clock() {
        return Clock.systemUTC();
    }
}
