package dev.oneshot.api;

import com.github.benmanes.caffeine.cache.Ticker;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.InstantSource;

/** The time and the ticker that every class gets injected. The database's clock decides what has expired. */
class SystemClock {

    @Produces
    @Singleton
    InstantSource clock() {
        return Clock.systemUTC();
    }

    /** Nanoseconds, to measure time by. */
    @Produces
    @Singleton
    Ticker ticker() {
        return Ticker.systemTicker();
    }
}
