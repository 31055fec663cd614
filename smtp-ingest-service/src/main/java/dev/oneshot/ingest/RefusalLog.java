package dev.oneshot.ingest;

import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Limits the log of refusals with one reason to one line a second. Refusals after the last line are reported with the
 * next; the metrics count all.
 */
public final class RefusalLog {

    static final Duration INTERVAL = Duration.ofSeconds(1);

    private long unreported;
    private long lastLineNanos = System.nanoTime() - INTERVAL.toNanos();

    /** Counts one refusal. If a line is due, passes it the number of refusals since the last line. */
    public void log(LongConsumer line) {
        long count = count(System.nanoTime());
        if (count > 0) {
            line.accept(count);
        }
    }

    /**
     * Counts one refusal.
     *
     * @param nowNanos as of {@link System#nanoTime()}
     * @return how many to report now, with this one; 0 if a line was written less than {@link #INTERVAL} ago
     */
    synchronized long count(long nowNanos) {
        unreported++;
        if (nowNanos - lastLineNanos < INTERVAL.toNanos()) {
            return 0;
        }
        lastLineNanos = nowNanos;
        long count = unreported;
        unreported = 0;
        return count;
    }
}
