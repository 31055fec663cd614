package dev.oneshot.local.bench.send;

import dev.oneshot.local.bench.Latency;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The times, in nanoseconds, of each request's 201 and its relay's 250. Any number of threads record. */
final class Deliveries {

    private static final Duration PROGRESS_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private final Map<String, Long> accepted = new ConcurrentHashMap<>();
    private final Map<String, Long> relayed = new ConcurrentHashMap<>();
    private final AtomicInteger repeated = new AtomicInteger();

    void accepted(String id, long nanos) {
        accepted.put(id, nanos);
    }

    void relayed(String id, long nanos) {
        if (relayed.putIfAbsent(id, nanos) != null) {
            repeated.incrementAndGet();
        }
    }

    /** The time from 201 to 250 of mails accepted from then on; 0 where the 250 came first. */
    Latency latencySince(long nanos) {
        Latency latency = new Latency();
        accepted.forEach((id, at) -> {
            if (at - nanos >= 0) {
                latency.record(Math.max(0, relayed.getOrDefault(id, at) - at));
            }
        });
        return latency;
    }

    int relayed() {
        return relayed.size();
    }

    /** Mails that arrived more than once. */
    int repeated() {
        return repeated.get();
    }

    /** When the last mail was relayed. */
    long lastRelayed() {
        return relayed.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    /**
     * Waits until each accepted request has been relayed.
     *
     * @throws IllegalStateException after a minute without progress
     */
    void awaitAll() {
        int seen = -1;
        long since = System.nanoTime();
        while (relayed.size() < accepted.size()) {
            if (relayed.size() > seen) {
                seen = relayed.size();
                since = System.nanoTime();
            }
            if (System.nanoTime() - since > PROGRESS_TIMEOUT.toNanos()) {
                throw new IllegalStateException(
                        "accepted %,d mails, but relayed only %,d".formatted(accepted.size(), relayed.size()));
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }
}
