package dev.oneshot.api.body;

import java.time.Duration;

/**
 * How fast a client sends a body or takes a response. Counts only the time for which the service waits for the client. Safe for use by
 * many threads.
 */
public final class Pace {

    private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();

    private final long bytes;
    private final long nanosMax;

    private long awaitedNanos;
    private long movedBytes;
    /** The state when the present window began, and the one before it. */
    private long windowNanos;

    private long windowBytes;
    private long previousNanos;
    private long previousBytes;

    /**
     * Nothing has moved.
     *
     * @param bytes the length of the body or response
     * @param longest a client is slow if at its recent pace all of the bytes would take longer
     */
    public Pace(long bytes, Duration longest) {
        this.bytes = bytes;
        this.nanosMax = longest.toNanos();
    }

    /**
     * Notes that bytes have moved.
     *
     * @param nanos for which the client was awaited since the last call
     * @param moved all bytes up to now
     */
    public synchronized void moved(long nanos, long moved) {
        awaitedNanos += nanos;
        movedBytes = moved;
        if (awaitedNanos - windowNanos >= WINDOW_NANOS) {
            previousNanos = windowNanos;
            previousBytes = windowBytes;
            windowNanos = awaitedNanos;
            windowBytes = moved;
        }
    }

    /**
     * Whether the client is slow.
     *
     * @param nanos for which it has been awaited since the last call of {@link #moved}
     * @param patienceNanos a second or less. If less, the client is also slow once it has been awaited, in all, for this much
     *     longer than the moved bytes may take
     */
    public synchronized boolean isSlow(long nanos, long patienceNanos) {
        if (nanos >= WINDOW_NANOS) {
            return true;
        }
        long span = awaitedNanos + nanos - previousNanos;
        boolean isBelowPace =
                span >= WINDOW_NANOS && (double) (movedBytes - previousBytes) * nanosMax < (double) bytes * span;
        double allowedNanos = patienceNanos + (double) movedBytes / bytes * nanosMax;
        return isBelowPace || (patienceNanos < WINDOW_NANOS && awaitedNanos + nanos >= allowedNanos);
    }
}
