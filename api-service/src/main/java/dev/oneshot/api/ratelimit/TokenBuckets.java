package dev.oneshot.api.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.ratelimit.AccountTokens.Grant;
import dev.oneshot.api.ratelimit.AccountTokens.Lease;
import dev.oneshot.api.ratelimit.AccountTokens.Rate;
import dev.oneshot.api.ratelimit.AccountTokens.Verdict;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * Admits requests at the rate of their account. All replicas share the buckets: rows that fill by the database's clock.
 * {@link AccountTokens} holds the tokens that this replica has leased.
 */
@ApplicationScoped
class TokenBuckets {

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
                .expireAfterAccess(AccountTokens.LEASE_TIME.multipliedBy(2))
                .executor(virtualThreads)
                .build();
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
     * @param spare to be leased, if there are enough
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
                        Math.toIntExact(AccountTokens.LEASE_TIME.toSeconds()))
                .orElseThrow();
    }
}
