package dev.oneshot.api.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneshot.api.ratelimit.AccountTokens.Verdict;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/** Admits requests at the rate of their account, over all replicas. Never blocks. */
@ApplicationScoped
class RateLimiter {

    private static final Duration LEASE_TIME_MIN = Duration.ofSeconds(1);
    private static final Duration LEASE_TIME_MAX = Duration.ofMinutes(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);
    private static final int LEASE_DIVISOR_MIN = 2;

    private final TokenBuckets buckets;
    private final AccountTokens.Settings settings;
    private final Cache<UUID, AccountTokens> accounts;

    RateLimiter(TokenBuckets buckets, RateLimitConfig config, @VirtualThreads ExecutorService virtualThreads) {
        check(config);
        this.buckets = buckets;
        this.settings = new AccountTokens.Settings(
                config.leaseTime(), config.leaseDivisor(), config.pause(), virtualThreads, System::nanoTime);
        // A forgotten account has no valid tokens, or loses one lease at most.
        this.accounts = Caffeine.newBuilder()
                .maximumSize(config.accounts())
                .expireAfterAccess(config.leaseTime().multipliedBy(2))
                .executor(virtualThreads)
                .build();
    }

    /** Spends one of the account's tokens. Fails if there is none here and the database is away. */
    CompletableFuture<Verdict> take(UUID accountId, Rate rate) {
        return accounts.get(accountId, id -> new AccountTokens(id, buckets, settings))
                .take(rate);
    }

    private static void check(RateLimitConfig config) {
        Duration lease = config.leaseTime();
        ValidSetting.between("oneshot.rate-limit.lease-time", lease, LEASE_TIME_MIN, LEASE_TIME_MAX);
        ValidSetting.require(
                lease.toNanosPart() == 0, "oneshot.rate-limit.lease-time must be whole seconds, not " + lease);
        ValidSetting.atLeast("oneshot.rate-limit.lease-divisor", config.leaseDivisor(), LEASE_DIVISOR_MIN);
        ValidSetting.between("oneshot.rate-limit.pause", config.pause(), Duration.ZERO, PAUSE_MAX);
        ValidSetting.atLeast("oneshot.rate-limit.accounts", config.accounts(), 1);
    }
}
