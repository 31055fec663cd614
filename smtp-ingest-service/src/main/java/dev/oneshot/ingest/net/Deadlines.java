package dev.oneshot.ingest.net;

import dev.oneshot.ingest.smtp.session.Phase;
import java.time.Duration;

/** The timeouts of one connection. Times are nanoseconds of a monotonic clock. */
final class Deadlines {

    /** For the client to read the last reply, and to stop sending. */
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** A client that has sent nothing for so long has stopped. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private final Bounds bounds;
    private Phase phase = Phase.COMMAND;
    private long phaseSince;
    private long lastReceived;
    private long commandSince;
    private long phaseOctets;
    private long memoryWaitSince;
    private boolean blocking;
    private long blockingSince;
    private long blockingOctets;
    private boolean closing;
    private boolean clientMayBeSending;

    /**
     * The configured timeouts.
     *
     * @param blocking how long content may be slow while others wait for its memory
     * @param shedOctetsPerSecondMin the rate below which content is slow in this case
     */
    record Bounds(
            Duration idle,
            Duration data,
            Duration rateGrace,
            long octetsPerSecondMin,
            Duration blocking,
            long shedOctetsPerSecondMin) {}

    /** The timeout that has run out. */
    enum Exceeded {
        NONE,
        IDLE,
        TOO_SLOW,
        CLOSING
    }

    Deadlines(Bounds bounds, long nowNanos) {
        this.bounds = bounds;
        this.phaseSince = nowNanos;
        this.lastReceived = nowNanos;
        this.commandSince = nowNanos;
    }

    void received(int octets, long nowNanos) {
        lastReceived = nowNanos;
        phaseOctets += octets;
        blockingOctets += octets;
    }

    /** A reply was sent: the timeout of the next command starts. */
    void replied(long nowNanos) {
        commandSince = nowNanos;
    }

    /** The session has this phase now, perhaps unchanged. */
    void entered(Phase now, long nowNanos) {
        if (now == Phase.MEMORY && phase == Phase.CONTENT) {
            memoryWaitSince = nowNanos;
            phase = now;
        } else if (now == Phase.CONTENT && phase == Phase.MEMORY) {
            // The timeout of the content was paused.
            phaseSince += nowNanos - memoryWaitSince;
            lastReceived += nowNanos - memoryWaitSince;
            phase = now;
        } else if (now != phase) {
            phase = now;
            memoryWaitSince = nowNanos;
            phaseSince = nowNanos;
            lastReceived = nowNanos;
            commandSince = nowNanos;
            phaseOctets = 0;
        }
    }

    /** The last reply was sent. */
    void closing(boolean clientMayBeSending, long nowNanos) {
        closing = true;
        this.clientMayBeSending = clientMayBeSending;
        phaseSince = nowNanos;
        lastReceived = nowNanos;
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
        if (blocking && nanos < bounds.blocking().toNanos()) {
            return false;
        }
        double enough = bounds.shedOctetsPerSecondMin()
                * (double) nanos
                / Duration.ofSeconds(1).toNanos();
        boolean slow = blocking && blockingOctets < enough;
        blocking = true;
        blockingSince = nowNanos;
        blockingOctets = 0;
        return slow;
    }

    Exceeded exceeded(Phase now, long nowNanos) {
        long inPhase = nowNanos - phaseSince;
        if (closing) {
            boolean stopped = clientMayBeSending && nowNanos - lastReceived > SILENCE.toNanos();
            return stopped || inPhase > CLOSING.toNanos() ? Exceeded.CLOSING : Exceeded.NONE;
        }
        return switch (now) {
            // The timeout is for the whole line: otherwise single bytes would keep a connection open without end.
            case COMMAND -> nowNanos - commandSince > bounds.idle().toNanos() ? Exceeded.IDLE : Exceeded.NONE;
            case CONTENT -> content(inPhase, nowNanos);
            // A wait for memory, a delivery and a handshake have their own timeouts.
            case MEMORY, BUSY, CLOSED -> Exceeded.NONE;
        };
    }

    private Exceeded content(long inPhase, long nowNanos) {
        if (nowNanos - lastReceived > bounds.idle().toNanos()) {
            return Exceeded.IDLE;
        }
        boolean tooLong = inPhase > bounds.data().toNanos();
        boolean tooSlow = inPhase > bounds.rateGrace().toNanos()
                && phaseOctets
                        < bounds.octetsPerSecondMin()
                                * (inPhase / Duration.ofSeconds(1).toNanos());
        return tooLong || tooSlow ? Exceeded.TOO_SLOW : Exceeded.NONE;
    }
}
