package dev.oneshot.api.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.ratelimit.AccountTokens.Verdict;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * Admits requests at the rate of their account. All replicas share the buckets: rows that fill by the database's clock.
 * {@link AccountTokens} holds the tokens that this replica has leased.
 */
@ApplicationScoped
class TokenBuckets {

    /**
     * How long tokens taken ahead are valid, in whole seconds. A longer time saves round trips for slow clients, but other replicas
     * cannot use the tokens that one holds.
     */
    static final Duration LEASE_TIME = Duration.ofSeconds(10);

    /** Some 500 bytes each. */
    private static final int ACCOUNTS_MAX = 50_000;

    private static final String TAKE = "SELECT granted, lease, lease_generation, level, wait_micros"
            + " FROM take_tokens(?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final Database database;
    private final ExecutorService virtualThreads;
    private final Cache<UUID, AccountTokens> accounts;

    TokenBuckets(Database database, @VirtualThreads ExecutorService virtualThreads) {
        this.database = database;
        this.virtualThreads = virtualThreads;
        // An evicted account has no valid tokens, or loses at most one lease.
        this.accounts = Caffeine.newBuilder()
                .maximumSize(ACCOUNTS_MAX)
                .expireAfterAccess(LEASE_TIME.multipliedBy(2))
                .executor(virtualThreads)
                .build();
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

        /** How long so many tokens take to come back. */
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

    /**
     * Spends one token of the account; never blocks. The future fails if this replica has no token and the database is
     * unavailable.
     */
    CompletableFuture<Verdict> spend(UUID accountId, Rate rate) {
        return accounts.get(
                        accountId,
                        unknown -> new AccountTokens(
                                (asked, spare, ended) -> take(accountId, asked, 1, spare, ended),
                                virtualThreads,
                                System::nanoTime))
                .spend(rate);
    }

    /**
     * Takes tokens from the account's row; blocking.
     *
     * @param wanted to be spent at once, at least 1
     * @param spare to take ahead, if there are enough
     * @param ended the last lease of this account, to be given back
     * @throws RuntimeException if the buckets cannot be reached; then nothing was taken, or it is lost
     */
    Grant take(UUID accountId, Rate rate, int wanted, int spare, Lease ended) {
        return database.row(
                        TAKE,
                        row -> new Grant(
                                row.getInt("granted"),
                                row.getInt("lease"),
                                row.getLong("lease_generation"),
                                row.getInt("level"),
                                1000 * row.getLong("wait_micros")),
                        accountId,
                        rate.perSecond(),
                        rate.burst(),
                        wanted,
                        spare,
                        ended.generation(),
                        ended.size(),
                        ended.unspent(),
                        Math.toIntExact(LEASE_TIME.toSeconds()))
                .orElseThrow();
    }
}
