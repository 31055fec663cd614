package dev.oneshot.local.bench;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Times of operations, from a microsecond to a minute with three digits. Any number of threads record. */
public final class Latency {

    private static final long MAX_MICROS = Duration.ofMinutes(1).toNanos() / 1000;
    private static final int DIGITS = 3;
    private static final double MICROS_IN_MILLI = 1000;

    private final Recorder recorder = new Recorder(MAX_MICROS, DIGITS);
    private final Histogram all = new Histogram(MAX_MICROS, DIGITS);

    /** Records one; what is longer than a minute counts as a minute. */
    public void record(long nanos) {
        recorder.recordValue(Math.clamp(TimeUnit.NANOSECONDS.toMicros(nanos), 0, MAX_MICROS));
    }

    /** The time in milliseconds that this share of all operations, 0 to 100, did not exceed; 0 if there were none. */
    public double percentileMillis(double percentile) {
        synchronized (all) {
            all.add(recorder.getIntervalHistogram());
            return all.getValueAtPercentile(percentile) / MICROS_IN_MILLI;
        }
    }

    /** How many were recorded. */
    public long count() {
        synchronized (all) {
            all.add(recorder.getIntervalHistogram());
            return all.getTotalCount();
        }
    }
}
