package dev.oneshot.ingest.net;

import dev.oneshot.ingest.smtp.session.Phase;
import java.time.Duration;

/** The timeouts of one connection. Times are nanoseconds of a monotonic clock. */
final class Deadlines {

    /** For the client to read the last reply, and to stop sending. */
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** A client that has sent nothing for this long has stopped. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    /** While other messages wait for memory, content that arrives more slowly than this loses its memory. */
    static final long SHED_BYTES_PER_SECOND_MIN = 32 * 1024;

    private final SmtpConfig config;
    private Phase phase = Phase.COMMAND;
    private long phaseSince;
    private long idleSince;
    private long phaseBytes;
    private long memoryWaitSince;
    private boolean blocking;
    private long blockingSince;
    private long blockingBytes;

    /** The timeout that has run out. */
    enum Exceeded {
        NONE,
        IDLE,
        TOO_SLOW,
        CLOSING
    }

    Deadlines(SmtpConfig config, long nowNanos) {
        this.config = config;
        this.phaseSince = nowNanos;
        this.idleSince = nowNanos;
    }

    void received(int bytes, long nowNanos) {
        phaseBytes += bytes;
        blockingBytes += bytes;
        // The timeout of a command is for the whole line: otherwise single bytes would keep a connection open without
        // end.
        if (phase != Phase.COMMAND) {
            idleSince = nowNanos;
        }
    }

    /** A reply was sent: the timeout of the next command starts. */
    void replied(long nowNanos) {
        idleSince = nowNanos;
    }

    /** The session has this phase now, perhaps unchanged. */
    void entered(Phase now, long nowNanos) {
        if (now == Phase.CONTENT && phase == Phase.MEMORY) {
            // The timeout of the content was paused.
            phaseSince += nowNanos - memoryWaitSince;
            idleSince += nowNanos - memoryWaitSince;
        } else if (now != phase) {
            memoryWaitSince = nowNanos;
            if (now != Phase.MEMORY || phase != Phase.CONTENT) {
                phaseSince = nowNanos;
                idleSince = nowNanos;
                phaseBytes = 0;
            }
        }
        phase = now;
    }

    /**
     * Whether content arrives so slowly that it must release its memory to others. Call it about once a second, as it
     * measures between calls.
     *
     * @param othersWait whether others wait for the memory of this message
     */
    boolean mustShed(boolean othersWait, long nowNanos) {
        if (!othersWait || phase != Phase.CONTENT) {
            blocking = false;
            return false;
        }
        long nanos = nowNanos - blockingSince;
        // Half of the wait, so that waiting messages have the other half.
        if (blocking && nanos < config.memoryWait().toNanos() / 2) {
            return false;
        }
        double enough = SHED_BYTES_PER_SECOND_MIN * (double) nanos / SECOND_NANOS;
        boolean slow = blocking && blockingBytes < enough;
        blocking = true;
        blockingSince = nowNanos;
        blockingBytes = 0;
        return slow;
    }

    Exceeded exceeded(long nowNanos) {
        long idleNanos = nowNanos - idleSince;
        boolean idle = idleNanos > config.idleTimeout().toNanos();
        long inPhase = nowNanos - phaseSince;
        return switch (phase) {
            case COMMAND -> idle ? Exceeded.IDLE : Exceeded.NONE;
            case CONTENT -> idle ? Exceeded.IDLE : content(inPhase);
            // A wait for memory, a delivery and a handshake have their own timeouts.
            case MEMORY, BUSY -> Exceeded.NONE;
            case CLOSED ->
                idleNanos > SILENCE.toNanos() || inPhase > CLOSING.toNanos() ? Exceeded.CLOSING : Exceeded.NONE;
        };
    }

    private Exceeded content(long inPhase) {
        boolean tooLong = inPhase > config.dataTimeout().toNanos();
        boolean tooSlow = inPhase > config.dataRateGrace().toNanos()
                && phaseBytes < config.dataRateMin().asLongValue() * (inPhase / SECOND_NANOS);
        return tooLong || tooSlow ? Exceeded.TOO_SLOW : Exceeded.NONE;
    }
}
