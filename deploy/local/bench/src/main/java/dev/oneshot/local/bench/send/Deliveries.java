package dev.oneshot.local.bench.send;

import dev.oneshot.local.bench.Latency;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Which requests got their 201 and their relay's 250, and when. Any number of threads tell. */
final class Deliveries {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration CHECK_EVERY = Duration.ofMillis(5);
    private static final long NEVER = Long.MIN_VALUE;

    /** When the 201 was there and when the 250 was said, in nanoseconds or {@link #NEVER}. */
    private record Times(long accepted, long relayed) {}

    private final Map<String, Times> times = new ConcurrentHashMap<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger relayed = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicLong lastRelayed = new AtomicLong(NEVER);
    private volatile Latency latency = new Latency();

    void accepted(String id, long nanos) {
        accepted.incrementAndGet();
        times.compute(id, (_, known) -> known == null ? new Times(nanos, NEVER) : ended(nanos, known.relayed()));
    }

    void relayed(String id, long nanos) {
        times.compute(id, (_, known) -> {
            if (known != null && known.relayed() != NEVER) {
                repeated.incrementAndGet();
                return known;
            }
            relayed.incrementAndGet();
            lastRelayed.accumulateAndGet(nanos, Math::max);
            return known == null ? new Times(NEVER, nanos) : ended(known.accepted(), nanos);
        });
    }

    /** The 250 may overtake the 201 on its way to the client: that counts as no time. */
    private Times ended(long acceptedAt, long relayedAt) {
        latency.record(Math.max(0, relayedAt - acceptedAt));
        return new Times(acceptedAt, relayedAt);
    }

    /** Forgets the times so far. */
    void restartLatency() {
        latency = new Latency();
    }

    /** From the 201 to the 250, of those that came through since the last {@link #restartLatency()}. */
    Latency latency() {
        return latency;
    }

    int relayed() {
        return relayed.get();
    }

    /** Mails that came more than once. */
    int repeated() {
        return repeated.get();
    }

    /** When the last mail was relayed, in nanoseconds. */
    long lastRelayed() {
        return lastRelayed.get();
    }

    /**
     * Waits until each request that was accepted has been relayed.
     *
     * @throws IllegalStateException if none came for a minute
     */
    void awaitAll() {
        int seen = -1;
        long since = System.nanoTime();
        while (relayed.get() < accepted.get()) {
            if (relayed.get() > seen) {
                seen = relayed.get();
                since = System.nanoTime();
            }
            if (System.nanoTime() - since > PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        "accepted %,d mails, but only %,d were relayed".formatted(accepted.get(), relayed.get()));
            }
            LockSupport.parkNanos(CHECK_EVERY.toNanos());
        }
    }
}
