package dev.oneshot.api.ratelimit;

import java.util.UUID;

/** The accounts' buckets, which all replicas share. */
interface TokenBuckets {

    /**
     * Takes tokens; blocking.
     *
     * @param wanted to be spent at once, at least 1
     * @param spare to take ahead, if there are enough
     * @param ended the last lease of this account, to be given back
     * @throws RuntimeException if the buckets cannot be reached; then nothing was taken, or it is lost
     */
    Grant take(UUID accountId, Rate rate, int wanted, int spare, Lease ended);

    /**
     * The granted tokens.
     *
     * @param granted of the wanted ones
     * @param spare of the spare ones; none if not all wanted ones were granted
     * @param generation that the spare ones belong to
     * @param level how many are left in the bucket
     * @param waitNanos until there is another one, if not all wanted ones were granted
     */
    record Grant(int granted, int spare, long generation, int level, long waitNanos) {}

    /**
     * Tokens that a replica took ahead.
     *
     * @param generation of leases that it belongs to, by which the bucket ends it
     * @param size how many there were
     * @param unspent how many are left
     * @param endsAtNanos when they become invalid, by {@link System#nanoTime()}
     */
    record Lease(long generation, int size, int unspent, long endsAtNanos) {

        /** Holds nothing and belongs to no generation. */
        static final Lease NONE = new Lease(-1, 0, 0, 0);

        boolean isUsable(long nowNanos) {
            return unspent > 0 && endsAtNanos - nowNanos > 0;
        }

        Lease spend() {
            return new Lease(generation, size, unspent - 1, endsAtNanos);
        }
    }
}
