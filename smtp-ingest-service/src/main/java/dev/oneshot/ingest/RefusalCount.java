package dev.oneshot.ingest;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the log of refusals with one reason to one line a second. Refusals after the last line are reported with the
 * next; the metrics count all.
 */
public final class RefusalCount {

    static final Duration INTERVAL = Duration.ofSeconds(1);

    private final AtomicLong unreported = new AtomicLong();
    private final AtomicLong lastLineNanos = new AtomicLong();
    private volatile boolean reportedOnce;

    /**
     * Counts one refusal.
     *
     * @param nowNanos as of {@link System#nanoTime()}
     * @return how many to report now, with this one; 0 if a line was written less than {@link #INTERVAL} ago
     */
    public long count(long nowNanos) {
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
