package dev.oneshot.api.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneshot.api.ratelimit.AccountTokens.Verdict;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/** Admits requests at the rate of their account, over all replicas. Never blocks. */
@ApplicationScoped
class RateLimiter {

    /** Some 500 bytes each. */
    private static final int ACCOUNTS_MAX = 50_000;

    private final ExecutorService virtualThreads;
    private final Cache<UUID, AccountTokens> accounts;
    private final TokenBuckets buckets;

    RateLimiter(TokenBuckets buckets, @VirtualThreads ExecutorService virtualThreads) {
        this.buckets = buckets;
        this.virtualThreads = virtualThreads;
        // A forgotten account has no valid tokens, or loses one lease at most.
        this.accounts = Caffeine.newBuilder()
                .maximumSize(ACCOUNTS_MAX)
                .expireAfterAccess(TokenBuckets.LEASE_TIME.multipliedBy(2))
                .executor(virtualThreads)
                .build();
    }

    /** Spends one of the account's tokens. Fails if there is none here and the database is away. */
    CompletableFuture<Verdict> take(UUID accountId, Rate rate) {
        AccountTokens tokens = accounts.get(accountId, this::tokens);
        Optional<Verdict> verdict = tokens.takeHere(rate);
        return verdict.isPresent()
                ? CompletableFuture.completedFuture(verdict.get())
                : CompletableFuture.supplyAsync(() -> tokens.take(rate), virtualThreads);
    }

    private AccountTokens tokens(UUID accountId) {
        return new AccountTokens(
                (rate, spare, ended) -> buckets.take(accountId, rate, 1, spare, ended), System::nanoTime);
    }
}
