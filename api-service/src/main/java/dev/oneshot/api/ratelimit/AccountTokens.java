package dev.oneshot.api.ratelimit;

import dev.oneshot.api.ratelimit.TokenBuckets.Grant;
import dev.oneshot.api.ratelimit.TokenBuckets.Lease;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * The state of one account's bucket at one replica: the tokens it took ahead, or until when there are none. It asks the bucket once at
 * a time, for all requests that wait.
 *
 * <p>Safe for use by many threads, event loops too: nothing blocks while it holds the lock.
 */
final class AccountTokens {

    /**
     * The settings that all accounts share.
     *
     * @param leaseTime how long tokens taken ahead may be spent; counted from before they were asked for
     * @param leaseDivisor the part of the burst that is taken ahead
     * @param pause how long an empty bucket is not asked again
     * @param executor where the bucket is asked
     * @param nanoTime as {@link System#nanoTime()}
     */
    record Settings(Duration leaseTime, int leaseDivisor, Duration pause, Executor executor, LongSupplier nanoTime) {}

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

    private final UUID accountId;
    private final TokenBuckets buckets;
    private final Settings settings;

    private final Queue<CompletableFuture<Verdict>> waiting = new ArrayDeque<>();
    private Lease lease = Lease.NONE;
    private boolean asking;
    private boolean empty;
    private long emptyUntilNanos;
    private int level;
    private long levelAtNanos;

    AccountTokens(UUID accountId, TokenBuckets buckets, Settings settings) {
        this.accountId = accountId;
        this.buckets = buckets;
        this.settings = settings;
    }

    /** Spends a token, if there is one; never blocks. Fails if the buckets cannot be reached. */
    CompletableFuture<Verdict> take(Rate rate) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        synchronized (this) {
            long now = settings.nanoTime().getAsLong();
            if (waiting.isEmpty() && lease.isUsable(now)) {
                lease = lease.spend();
                return CompletableFuture.completedFuture(admitted(rate, now));
            }
            if (empty && emptyUntilNanos - now > 0) {
                return CompletableFuture.completedFuture(new Verdict.Refused(Duration.ofNanos(emptyUntilNanos - now)));
            }
            if (waiting.size() >= rate.burst()) {
                return CompletableFuture.completedFuture(new Verdict.Refused(rate.timeFor(1)));
            }
            waiting.add(verdict);
            if (asking) {
                return verdict;
            }
            asking = true;
        }
        try {
            settings.executor().execute(() -> askUntilNoneWaits(rate));
        } catch (RejectedExecutionException e) {
            fail(e);
        }
        return verdict;
    }

    private void askUntilNoneWaits(Rate rate) {
        try {
            boolean more;
            do {
                more = ask(rate);
            } while (more);
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    /** Asks for the requests that wait now. Returns whether more have come in the meantime. */
    private boolean ask(Rate rate) {
        int wanted;
        Lease ended;
        synchronized (this) {
            wanted = waiting.size();
            ended = lease;
            // If the response is lost, the lease must not be given back a second time.
            lease = Lease.NONE;
        }
        int spare = rate.burst() / settings.leaseDivisor();
        long askedAtNanos = settings.nanoTime().getAsLong();
        Grant grant = buckets.take(accountId, rate, wanted, spare, ended);
        List<Runnable> completions = new ArrayList<>();
        boolean more;
        synchronized (this) {
            apply(grant, rate, wanted, askedAtNanos, completions);
            more = !waiting.isEmpty();
            asking = more;
        }
        completions.forEach(Runnable::run);
        return more;
    }

    private void apply(Grant grant, Rate rate, int wanted, long askedAtNanos, List<Runnable> completions) {
        long now = settings.nanoTime().getAsLong();
        long endsAtNanos = askedAtNanos + settings.leaseTime().toNanos();
        lease = new Lease(grant.generation(), grant.spare(), grant.spare(), endsAtNanos);
        level = grant.level();
        levelAtNanos = now;
        empty = grant.granted() < wanted || grant.level() == 0;
        emptyUntilNanos = now + Math.max(untilNextToken(grant, wanted, rate), pauseNanos(rate));
        for (int i = 0; i < grant.granted(); i++) {
            complete(completions, admitted(rate, now));
        }
        while (!waiting.isEmpty() && lease.isUsable(now)) {
            lease = lease.spend();
            complete(completions, admitted(rate, now));
        }
        if (empty) {
            Verdict refused = new Verdict.Refused(Duration.ofNanos(emptyUntilNanos - now));
            while (!waiting.isEmpty()) {
                complete(completions, refused);
            }
        }
    }

    private static long untilNextToken(Grant grant, int wanted, Rate rate) {
        return grant.granted() < wanted ? grant.waitNanos() : rate.timeFor(1).toNanos();
    }

    private void complete(List<Runnable> completions, Verdict verdict) {
        CompletableFuture<Verdict> first = waiting.remove();
        completions.add(() -> first.complete(verdict));
    }

    /** A pause that is longer than a part of the burst takes to come back would cost tokens. */
    private long pauseNanos(Rate rate) {
        return Math.min(settings.pause().toNanos(), rate.timeFor(rate.burst()).toNanos() / 4);
    }

    private Verdict admitted(Rate rate, long now) {
        long remaining = lease.unspent() + level + rate.tokensIn(now - levelAtNanos);
        return new Verdict.Admitted(Math.min(remaining, rate.burst() - 1L));
    }

    /** Fails all requests that wait. The next request asks again. */
    private void fail(RuntimeException failure) {
        List<CompletableFuture<Verdict>> failed;
        synchronized (this) {
            failed = List.copyOf(waiting);
            waiting.clear();
            asking = false;
        }
        failed.forEach(verdict -> verdict.completeExceptionally(failure));
    }
}
