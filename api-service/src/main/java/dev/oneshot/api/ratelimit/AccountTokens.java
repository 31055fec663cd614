package dev.oneshot.api.ratelimit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one account's bucket at one replica: the tokens that it has leased, or the time until which there are none. One
 * request at a time asks the bucket; the others wait.
 *
 * <p>Safe for use by many threads.
 */
final class AccountTokens {

    /**
     * How long leased tokens are valid, in whole seconds. A longer time saves round trips for slow clients, but other replicas
     * cannot use leased tokens.
     */
    static final Duration LEASE_TIME = Duration.ofSeconds(10);

    /** A lease is the burst divided by this. */
    private static final int LEASE_DIVISOR = 10;

    /** How long an empty bucket is not asked again, so that a flood costs nearly no round trips. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Bucket bucket;
    private final Executor threads;
    private final LongSupplier nanoTime;
    private Lease lease = Lease.NONE;
    private long emptyUntilNanos;
    private int level;
    private long levelAtNanos;

    /** The last request to the bucket; done once the bucket has responded. */
    private @Nullable CompletableFuture<Verdict> asking;

    private int waiting;

    /**
     * @param threads run blocking calls to the bucket
     * @param nanoTime as {@link System#nanoTime()}
     */
    AccountTokens(Bucket bucket, Executor threads, LongSupplier nanoTime) {
        this.bucket = bucket;
        this.threads = threads;
        this.nanoTime = nanoTime;
        this.emptyUntilNanos = nanoTime.getAsLong();
    }

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

        /** How long this many tokens take to come back. */
        Duration timeFor(long tokens) {
            return Duration.ofNanos(Math.ceilDiv(tokens * NANOS, (long) perSecond));
        }
    }

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
     * Tokens that a replica has leased.
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

    /** The account's bucket, which all replicas share. */
    @FunctionalInterface
    interface Bucket {

        /** Takes one token as {@link TokenBuckets#take}. */
        Grant take(Rate rate, int spare, Lease ended);
    }

    /** Whether a request proceeds. */
    sealed interface Verdict {

        /**
         * It proceeds.
         *
         * @param remaining how many more may follow at once; other replicas may have used some
         */
        record Admitted(long remaining) implements Verdict {}

        /**
         * It is rejected.
         *
         * @param retryAfter when there may be a token again
         */
        record Refused(Duration retryAfter) implements Verdict {}
    }

    /**
     * Spends a token; never blocks. If the bucket cannot be reached, all waiting requests fail together, so that they
     * do not wait for the database one after the other.
     */
    synchronized CompletableFuture<Verdict> spend(Rate rate) {
        long now = nanoTime.getAsLong();
        if (lease.isUsable(now)) {
            lease = lease.spend();
            return CompletableFuture.completedFuture(admitted(rate, now));
        }
        if (emptyUntilNanos - now > 0) {
            return CompletableFuture.completedFuture(new Verdict.Refused(Duration.ofNanos(emptyUntilNanos - now)));
        }
        if (asking == null || asking.isDone()) {
            Lease ended = lease;
            // If the response is lost, the lease must not be given back a second time.
            lease = Lease.NONE;
            waiting = 0;
            asking = CompletableFuture.supplyAsync(
                    () -> granted(rate, now, bucket.take(rate, rate.burst() / LEASE_DIVISOR, ended)), threads);
            return asking;
        }
        if (waiting == rate.burst()) {
            return CompletableFuture.completedFuture(new Verdict.Refused(rate.timeFor(1)));
        }
        waiting++;
        return asking.thenCompose(_ -> spend(rate));
    }

    private synchronized Verdict granted(Rate rate, long askedAtNanos, Grant grant) {
        long now = nanoTime.getAsLong();
        lease = new Lease(grant.generation(), grant.spare(), grant.spare(), askedAtNanos + LEASE_TIME.toNanos());
        level = grant.level();
        levelAtNanos = now;
        boolean isGranted = grant.granted() == 1;
        if (!isGranted || level == 0) {
            long untilNextToken = isGranted ? rate.timeFor(1).toNanos() : grant.waitNanos();
            emptyUntilNanos = now + Math.max(untilNextToken, pauseNanos(rate));
        }
        return isGranted ? admitted(rate, now) : new Verdict.Refused(Duration.ofNanos(emptyUntilNanos - now));
    }

    /** At most the time in which a quarter of the burst comes back: a longer pause would cost tokens. */
    private static long pauseNanos(Rate rate) {
        return Math.min(PAUSE.toNanos(), rate.timeFor(rate.burst()).toNanos() / 4);
    }

    private Verdict admitted(Rate rate, long now) {
        long remaining = lease.unspent() + level + rate.tokensIn(now - levelAtNanos);
        return new Verdict.Admitted(Math.min(remaining, rate.burst() - 1L));
    }
}
