package dev.oneshot.local.bench;

import java.time.Duration;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Times of operations from a microsecond to a minute, with three digits. Any number of threads record. */
public final class Latency {

    private static final long MAX_MICROS = Duration.ofMinutes(1).toNanos() / 1000;

    private final Histogram micros = new ConcurrentHistogram(MAX_MICROS, 3);

    /** Records one time; longer than a minute counts as a minute. */
    public void record(long nanos) {
        micros.recordValue(Math.clamp(nanos / 1000, 0, MAX_MICROS));
    }

    /** Returns the milliseconds that this share of all operations, 0 to 100, did not exceed; 0 if there were none. */
    public double percentileMillis(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    public long count() {
        return micros.getTotalCount();
    }
}
