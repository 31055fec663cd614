package dev.oneshot.api;

import com.github.benmanes.caffeine.cache.Ticker;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Nanoseconds, to measure durations. The time of day is an {@code InstantSource}, which {@code contracts} provides. */
final class SystemTicker {

    @Produces
    @Singleton
    static final Ticker TICKER = Ticker.systemTicker();
}
