package dev.oneshot.api;

import com.github.benmanes.caffeine.cache.Ticker;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The clock for durations, in nanoseconds. The time of day is an {@code InstantSource} of {@code contracts}. */
final class SystemTicker {

    @Produces
    @Singleton
    static final Ticker TICKER = Ticker.systemTicker();
}
