package dev.oneshot.api.ratelimit;

/**
 * Tokens that a replica took ahead.
 *
 * @param generation of leases that it belongs to, which says how long the bucket counts it
 * @param size how many there were
 * @param unspent how many are left
 * @param endsAtNanos from when on they are worth nothing, by {@link System#nanoTime()}
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
