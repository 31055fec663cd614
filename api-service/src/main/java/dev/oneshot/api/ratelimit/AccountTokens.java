package dev.oneshot.api.ratelimit;

import dev.oneshot.api.ratelimit.TokenBuckets.Grant;
import dev.oneshot.api.ratelimit.TokenBuckets.Lease;
import dev.oneshot.api.ratelimit.TokenBuckets.Rate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one account's bucket at one replica: the tokens it took ahead, or until when there are none. One request at a
 * time asks the bucket, and the others wait for it.
 *
 * <p>Safe for use by many threads.
 */
final class AccountTokens {

    /** The part of the burst that is taken ahead, as its divisor. */
    private static final int LEASE_DIVISOR = 10;

    /** How long an empty bucket is not asked again, so that a flood costs nearly no round trips. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Bucket bucket;
    private final LongSupplier nanoTime;

    private final ReentrantLock lock = new ReentrantLock();
    private Lease lease = Lease.NONE;
    private long emptyUntilNanos;
    private int level;
    private long levelAtNanos;
    private @Nullable RuntimeException failure;
    private long failedAtNanos;

    /** @param nanoTime as {@link System#nanoTime()} */
    AccountTokens(Bucket bucket, LongSupplier nanoTime) {
        this.bucket = bucket;
        this.nanoTime = nanoTime;
        this.emptyUntilNanos = nanoTime.getAsLong();
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

    /** Decides without the bucket; empty if it must be asked, by {@link #take}. Never blocks. */
    Optional<Verdict> takeLeased(Rate rate) {
        if (!lock.tryLock()) {
            return lock.getQueueLength() < rate.burst()
                    ? Optional.empty()
                    : Optional.of(new Verdict.Refused(rate.timeFor(1)));
        }
        try {
            return decided(rate);
        } finally {
            lock.unlock();
        }
    }

    /** Decides, and asks the bucket if necessary. Blocks; fails if the bucket cannot be reached. */
    Verdict take(Rate rate) {
        long arrivedAtNanos = nanoTime.getAsLong();
        lock.lock();
        try {
            Optional<Verdict> verdict = decided(rate);
            if (verdict.isPresent()) {
                return verdict.get();
            }
            // All that waited for this request fail with it, so that they do not wait for the database one after the
            // other.
            if (failure != null && failedAtNanos - arrivedAtNanos > 0) {
                throw failure;
            }
            return asked(rate);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Verdict> decided(Rate rate) {
        long now = nanoTime.getAsLong();
        if (lease.isUsable(now)) {
            lease = lease.spend();
            return Optional.of(admitted(rate, now));
        }
        return emptyUntilNanos - now > 0
                ? Optional.of(new Verdict.Refused(Duration.ofNanos(emptyUntilNanos - now)))
                : Optional.empty();
    }

    private Verdict asked(Rate rate) {
        Lease ended = lease;
        // If the response is lost, the lease must not be given back a second time.
        lease = Lease.NONE;
        long askedAtNanos = nanoTime.getAsLong();
        Grant grant;
        try {
            grant = bucket.take(rate, rate.burst() / LEASE_DIVISOR, ended);
        } catch (RuntimeException e) {
            failure = e;
            failedAtNanos = nanoTime.getAsLong();
            throw e;
        }
        long now = nanoTime.getAsLong();
        lease = new Lease(
                grant.generation(), grant.spare(), grant.spare(), askedAtNanos + TokenBuckets.LEASE_TIME.toNanos());
        level = grant.level();
        levelAtNanos = now;
        boolean isGranted = grant.granted() == 1;
        if (!isGranted || level == 0) {
            long untilNextToken = isGranted ? rate.timeFor(1).toNanos() : grant.waitNanos();
            emptyUntilNanos = now + Math.max(untilNextToken, pauseNanos(rate));
        }
        return isGranted ? admitted(rate, now) : new Verdict.Refused(Duration.ofNanos(emptyUntilNanos - now));
    }

    /** A pause that is longer than a part of the burst takes to come back would cost tokens. */
    private static long pauseNanos(Rate rate) {
        return Math.min(PAUSE.toNanos(), rate.timeFor(rate.burst()).toNanos() / 4);
    }

    private Verdict admitted(Rate rate, long now) {
        long remaining = lease.unspent() + level + rate.tokensIn(now - levelAtNanos);
        return new Verdict.Admitted(Math.min(remaining, rate.burst() - 1L));
    }
}
