package dev.oneshot.api.ratelimit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How the replicas share the rates of accounts. The rates themselves are in the plans. */
@ConfigMapping(prefix = "oneshot.rate-limit")
public interface RateLimitConfig {

    /**
     * How long tokens that were taken ahead are good for: whole seconds, 1 to 60, the same on every replica. The
     * longer, the fewer round trips for slow clients; but tokens that a replica holds are not there for the others.
     */
    @WithDefault("PT10S")
    Duration leaseTime();

    /**
     * The part of a plan's burst that a replica takes ahead, as its divisor: 10 is a tenth. At least 2. The smaller
     * the number, the fewer round trips, and the more tokens may lie where no requests come.
     */
    @WithDefault("10")
    int leaseDivisor();

    /**
     * Once an account has no tokens left, a replica answers 429 for this long before it asks again, so that a flood
     * costs next to no round trips. At most a second; cut for plans whose whole burst comes back sooner.
     */
    @WithDefault("PT0.05S")
    Duration pause();

    /** Of how many accounts a replica remembers the tokens it holds; some 500 octets each. */
    @WithDefault("50000")
    int accounts();
}
