package dev.oneshot.api.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.http.ClientNetwork;
import dev.oneshot.contracts.setting.ValidSetting;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits look-ups of unsigned keys by client network, so that guessing does not load the database; beyond the limit, 429.
 * A key that was valid recently is always looked up, so that guessing does not block other clients of the same network. Every
 * replica counts for itself.
 *
 * <p>Safe for use by many threads; never blocks.
 */
@ApplicationScoped
class UnknownKeys {

    private static final int MAX = 100_000;
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final long nanosPerKey;
    private final long burstNanos;
    private final Ticker ticker;
    /** By client address: the time at which its bucket would have been empty if it had only filled since. */
    private final Cache<ClientNetwork, AtomicLong> emptyAt;

    private final Cache<ApiKey.Hash, Boolean> validLately;

    UnknownKeys(UnknownKeyConfig config, Ticker ticker) {
        ValidSetting.between("oneshot.unknown-keys.per-second", config.perSecond(), 1, MAX);
        ValidSetting.between("oneshot.unknown-keys.burst", config.burst(), 1, MAX);
        ValidSetting.atLeast("oneshot.unknown-keys.entries", config.entries(), 1);
        this.nanosPerKey = Duration.ofSeconds(1).toNanos() / config.perSecond();
        this.burstNanos = nanosPerKey * config.burst();
        this.ticker = ticker;
        this.emptyAt = Caffeine.newBuilder()
                .maximumSize(config.entries())
                .expireAfterAccess(Duration.ofNanos(burstNanos).plusSeconds(1))
                .build();
        this.validLately = Caffeine.newBuilder()
                .maximumSize(config.entries())
                .expireAfterAccess(REMEMBERED)
                .build();
    }

    /**
     * Counts a key as unknown until {@link #wasValid}. Returns how long to wait if the key may not be looked up.
     */
    Optional<Duration> enter(ClientNetwork client, ApiKey.Hash key) {
        if (validLately.getIfPresent(key) != null) {
            return Optional.empty();
        }
        long now = ticker.read();
        AtomicLong bucket = emptyAt.get(client, unknown -> new AtomicLong(now - burstNanos));
        while (true) {
            long before = bucket.get();
            long after = Math.max(before - now, -burstNanos) + now + nanosPerKey;
            if (after - now > 0) {
                return Optional.of(Duration.ofNanos(after - now));
            }
            if (bucket.compareAndSet(before, after)) {
                return Optional.empty();
            }
        }
    }

    /** Undoes the count, as the key exists. */
    void wasValid(ClientNetwork client, ApiKey.Hash key) {
        if (validLately.getIfPresent(key) == null) {
            validLately.put(key, Boolean.TRUE);
            AtomicLong bucket = emptyAt.getIfPresent(client);
            if (bucket != null) {
                bucket.addAndGet(-nanosPerKey);
            }
        }
    }
}
