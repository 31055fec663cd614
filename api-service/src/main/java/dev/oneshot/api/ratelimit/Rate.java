package dev.oneshot.api.ratelimit;

import java.time.Duration;

/**
 * How many requests an account may make.
 *
 * @param perSecond in the long run, at least 1
 * @param burst at once after a pause, at least 1
 */
record Rate(int perSecond, int burst) {

    private static final long NANOS = Duration.ofSeconds(1).toNanos();

    /** How many tokens come back in this time. */
    long tokensIn(long nanos) {
        return (long) ((double) nanos * perSecond / NANOS);
    }

    /** How long so many tokens take to come back. */
    Duration timeFor(long tokens) {
        return Duration.ofNanos(Math.ceilDiv(tokens * NANOS, (long) perSecond));
    }
}
