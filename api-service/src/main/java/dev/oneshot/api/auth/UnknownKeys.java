package dev.oneshot.api.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.http.ClientNetwork;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits look-ups of unsigned keys by client network, so that guessing does not load the database; beyond the limit, 429.
 * A key that was valid recently is always looked up, so that guessing does not block other clients of the same network. Every
 * replica counts for itself.
 *
 * <p>Safe for use by many threads.
 */
@ApplicationScoped
class UnknownKeys {

    /** In the long run. */
    private static final int PER_SECOND = 10;
    /** At once after a pause. */
    private static final int BURST = 50;
    /** Client networks, and keys that were valid. If there are more, the least active are forgotten and restart. */
    private static final int ENTRIES_MAX = 50_000;

    private static final Duration REMEMBERED = Duration.ofHours(1);
    private static final long NANOS_PER_KEY = Duration.ofSeconds(1).toNanos() / PER_SECOND;
    private static final long BURST_NANOS = NANOS_PER_KEY * BURST;

    private final Ticker ticker;
    /** By client network: its bucket has filled since this time, by {@link #PER_SECOND} up to {@link #BURST}. */
    private final Cache<ClientNetwork, Long> emptyAt;

    private final Cache<ApiKey.Hash, Boolean> validLately;

    UnknownKeys(Ticker ticker) {
        this.ticker = ticker;
        this.emptyAt = Caffeine.newBuilder()
                .maximumSize(ENTRIES_MAX)
                .expireAfterAccess(Duration.ofNanos(BURST_NANOS).plusSeconds(1))
                .build();
        this.validLately = Caffeine.newBuilder()
                .maximumSize(ENTRIES_MAX)
                .expireAfterAccess(REMEMBERED)
                .build();
    }

    /**
     * Counts a key as unknown until {@link #wasValid}. Returns how long to wait if the key may not be looked up.
     */
    synchronized Optional<Duration> enter(ClientNetwork client, ApiKey.Hash key) {
        if (validLately.getIfPresent(key) != null) {
            return Optional.empty();
        }
        long now = ticker.read();
        long before = emptyAt.get(client, _ -> now - BURST_NANOS);
        long waitNanos = Math.max(before - now, -BURST_NANOS) + NANOS_PER_KEY;
        if (waitNanos > 0) {
            return Optional.of(Duration.ofNanos(waitNanos));
        }
        emptyAt.put(client, now + waitNanos);
        return Optional.empty();
    }

    /** Undoes the count, as the key exists. */
    synchronized void wasValid(ClientNetwork client, ApiKey.Hash key) {
        if (validLately.getIfPresent(key) == null) {
            validLately.put(key, Boolean.TRUE);
            emptyAt.asMap().computeIfPresent(client, (_, before) -> before - NANOS_PER_KEY);
        }
    }
}
