package dev.oneshot.api.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneshot.api.http.ClientNetwork;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Keeps those who guess keys without a signature away from the database: so many look-ups a second and client network, and
 * then 429 until there is room again. A key that was valid lately is always looked up, so that guessing does not shut
 * out others behind the same address. Every replica counts for itself.
 *
 * <p>Safe for use by many threads; nothing is waited for.
 */
@ApplicationScoped
class UnknownKeys {

    private static final int MAX = 100_000;
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final long nanosPerKey;
    private final long burstNanos;
    private final LongSupplier nanoTime;
    /** By client address: the time at which its bucket would have been empty if it had only filled since. */
    private final Cache<ClientNetwork, AtomicLong> emptyAt;

    private final Cache<ApiKey.Hash, Boolean> validLately;

    @Inject
    UnknownKeys(UnknownKeyConfig config) {
        this(config, System::nanoTime);
    }

    UnknownKeys(UnknownKeyConfig config, LongSupplier nanoTime) {
        require(config.perSecond() >= 1 && config.perSecond() <= MAX, "per-second must be between 1 and " + MAX);
        require(config.burst() >= 1 && config.burst() <= MAX, "burst must be between 1 and " + MAX);
        require(config.entries() >= 1, "entries must be at least 1");
        this.nanosPerKey = Duration.ofSeconds(1).toNanos() / config.perSecond();
        this.burstNanos = nanosPerKey * config.burst();
        this.nanoTime = nanoTime;
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
     * Asks for a key to be looked up, and counts it as unknown until {@link #wasValid} is told otherwise; how long to
     * wait if it may not be.
     */
    Optional<Duration> enter(ClientNetwork client, ApiKey.Hash key) {
        if (validLately.getIfPresent(key) != null) {
            return Optional.empty();
        }
        long now = nanoTime.getAsLong();
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

    /** Takes the count back, as the key exists. */
    void wasValid(ClientNetwork client, ApiKey.Hash key) {
        if (validLately.getIfPresent(key) == null) {
            validLately.put(key, Boolean.TRUE);
            AtomicLong bucket = emptyAt.getIfPresent(client);
            if (bucket != null) {
                bucket.addAndGet(-nanosPerKey);
            }
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException("oneshot.unknown-keys." + message);
        }
    }
}
