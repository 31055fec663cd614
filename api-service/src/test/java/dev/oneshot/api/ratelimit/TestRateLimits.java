package dev.oneshot.api.ratelimit;

import java.time.Duration;

/** The default rates, or others. */
record TestRateLimits(Duration leaseTime, int leaseDivisor, Duration pause, int accounts) implements RateLimitConfig {

    TestRateLimits() {
        this(Duration.ofSeconds(10), 10, Duration.ofMillis(50), 1_000);
    }
}
