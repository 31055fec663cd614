package dev.oneshot.expiry.sweep;

import java.time.Duration;

/**
 * The pauses between the batches of a sweep, which leave the database to others. A pause is as long as the batch before it. If that
 * took longer for each row than batches take while the database is calm, the pause is longer by the same factor. Safe for use by many
 * threads.
 */
final class Pace {

    /** So a sweep keeps a quarter of its speed, however busy the database is. */
    private static final double FACTOR_MAX = 3;

    /** A slow batch must not delay what is due for seconds more. */
    private static final Duration PAUSE_MAX = Duration.ofMillis(500);

    /** The calm time is the shortest one, but not forever: rows may become larger. */
    private static final double FORGETTING = 1.02;

    private double calmNanosForARow = Double.POSITIVE_INFINITY;

    /** The pause after a batch of at least one row. */
    synchronized Duration after(int rows, Duration taken) {
        double nanosForARow = Math.max(1, taken.toNanos()) / (double) rows;
        calmNanosForARow = Math.min(nanosForARow, calmNanosForARow * FORGETTING);
        double factor = Math.min(nanosForARow / calmNanosForARow, FACTOR_MAX);
        return Duration.ofNanos(Math.min((long) (taken.toNanos() * factor), PAUSE_MAX.toNanos()));
    }
}
