package dev.oneshot.ingest.delivery;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts refusals into lines of the log, one a second at the most: while Kafka is away every mail is refused, and the
 * log must not become what falls over. The last few of a flood stay unreported until the next; the metrics count all.
 */
final class RefusalCount {

    static final Duration INTERVAL = Duration.ofSeconds(1);

    private final AtomicLong unreported = new AtomicLong();
    private final AtomicLong lastLineNanos = new AtomicLong();
    private volatile boolean reportedOnce;

    /**
     * Counts one refusal.
     *
     * @param nowNanos as of {@link System#nanoTime()}
     * @return how many to report now, this one included; 0 if a line was written less than {@link #INTERVAL} ago
     */
    long count(long nowNanos) {
        unreported.incrementAndGet();
        long last = lastLineNanos.get();
        boolean due = !reportedOnce || nowNanos - last >= INTERVAL.toNanos();
        if (due && lastLineNanos.compareAndSet(last, nowNanos)) {
            reportedOnce = true;
            return unreported.getAndSet(0);
        }
        return 0;
    }
}
