package dev.oneshot.api.ratelimit;

import java.util.UUID;

/** The accounts' buckets, which all replicas share. */
interface TokenBuckets {

    /**
     * Takes tokens; blocking.
     *
     * @param wanted to be spent at once, at least 1
     * @param spare that would be welcome for later
     * @param ended the last lease of this account, to be given back
     * @throws RuntimeException if the buckets cannot be reached; then nothing was taken, or it is lost
     */
    Grant take(UUID accountId, Rate rate, int wanted, int spare, Lease ended);

    /**
     * What was granted.
     *
     * @param granted of the wanted ones
     * @param spare of the spare ones; none if not all wanted ones were granted
     * @param generation that the spare ones belong to
     * @param level how many are left in the bucket
     * @param waitNanos until there is another one, if not all wanted ones were granted
     */
    record Grant(int granted, int spare, long generation, int level, long waitNanos) {}
}
