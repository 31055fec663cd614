package dev.oneshot.ingest.net;

import dev.oneshot.ingest.smtp.session.SmtpSession.Phase;
import java.time.Duration;

/** The timeouts of one connection. Times are nanoseconds of a monotonic clock. */
final class Deadlines {

    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Bounds bounds;
    private Phase phase = Phase.COMMAND;
    private long phaseSince;
    private long lastReceived;
    private long commandSince;
    private long phaseOctets;
    private long memoryWaitSince;
    private boolean closing;

    /** The configured timeouts. */
    record Bounds(Duration idle, Duration data, Duration rateGrace, long octetsPerSecondMin) {}

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

    void closing(long nowNanos) {
        closing = true;
        phaseSince = nowNanos;
    }

    Exceeded exceeded(Phase now, long nowNanos) {
        long inPhase = nowNanos - phaseSince;
        if (closing) {
            return inPhase > CLOSING.toNanos() ? Exceeded.CLOSING : Exceeded.NONE;
        }
        return switch (now) {
            // The timeout is for the whole line: otherwise single octets would keep a connection open without end.
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
