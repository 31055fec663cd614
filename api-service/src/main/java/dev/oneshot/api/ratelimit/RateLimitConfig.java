package dev.oneshot.api.ratelimit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How the replicas share the rates of accounts. The rates themselves are in the plans. */
@ConfigMapping(prefix = "oneshot.rate-limit")
public interface RateLimitConfig {

    /**
     * How long tokens that were taken ahead are valid: whole seconds, 1 to 60, the same on every replica. A longer time
     * saves round trips for slow clients, but other replicas cannot use the tokens that one holds.
     */
    @WithDefault("PT10S")
    Duration leaseTime();

    /**
     * The part of a plan's burst that a replica takes ahead, as its divisor: 10 is a tenth. At least 2. A smaller
     * number saves round trips, but more tokens may be at a replica that gets no requests.
     */
    @WithDefault("10")
    int leaseDivisor();

    /**
     * Once an account has no tokens left, a replica responds with 429 for this long before it asks again, so that a flood
     * costs nearly no round trips. At most a second; shorter for plans whose whole burst comes back sooner.
     */
    @WithDefault("PT0.05S")
    Duration pause();

    /** For how many accounts a replica remembers the tokens it holds; some 500 bytes each. */
    @WithDefault("50000")
    int accounts();
}
