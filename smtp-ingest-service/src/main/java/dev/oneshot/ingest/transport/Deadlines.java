package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.smtp.Phase;
import java.time.Duration;

/** The bounds of time of one connection. Times are those of a monotonic clock, in nanoseconds. */
final class Deadlines {

    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Bounds bounds;
    private Phase phase = Phase.COMMAND;
    private long phaseSince;
    private long lastReceived;
    private long commandSince;
    private long phaseOctets;
    private long roomSince;
    private long waitSince;
    private boolean inTheWay;
    private long inTheWaySince;
    private long inTheWayOctets;
    private boolean closing;

    /**
     * What is configured.
     *
     * @param room what no wait for memory takes, as it has a timeout of its own
     * @param inTheWay for how long the content may be slow while others wait for its memory
     * @param inTheWayOctetsPerSecondMin what is slow then
     */
    record Bounds(
            Duration idle,
            Duration data,
            Duration rateGrace,
            long octetsPerSecondMin,
            Duration room,
            Duration inTheWay,
            long inTheWayOctetsPerSecondMin) {}

    /** What has been exceeded. */
    enum Exceeded {
        NONE,
        IDLE,
        TOO_SLOW,
        STUCK,
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
        inTheWayOctets += octets;
    }

    /** The client was answered, and has the whole time for its next command. */
    void replied(long nowNanos) {
        commandSince = nowNanos;
    }

    /** The session is in this phase now, perhaps as before. */
    void entered(Phase now, long nowNanos) {
        if (now == Phase.ROOM && phase == Phase.CONTENT) {
            roomSince = nowNanos;
            phase = now;
        } else if (now == Phase.CONTENT && phase == Phase.ROOM) {
            // The time for the content stood still.
            phaseSince += nowNanos - roomSince;
            lastReceived += nowNanos - roomSince;
            phase = now;
        } else if (now != phase) {
            phase = now;
            roomSince = nowNanos;
            phaseSince = nowNanos;
            lastReceived = nowNanos;
            commandSince = nowNanos;
            phaseOctets = 0;
        }
    }

    /** A wait for memory begins, perhaps right after another. */
    void waitBegun(long nowNanos) {
        waitSince = nowNanos;
    }

    void closing(long nowNanos) {
        closing = true;
        phaseSince = nowNanos;
    }

    /**
     * Whether the content comes so slowly that it has to leave its memory to others. To be asked about once a second, as
     * it measures from one question to a later one.
     *
     * @param othersWait whether they wait for what this message holds
     */
    boolean givesWay(boolean othersWait, long nowNanos) {
        if (!othersWait || phase != Phase.CONTENT) {
            inTheWay = false;
            return false;
        }
        long nanos = nowNanos - inTheWaySince;
        if (inTheWay && nanos < bounds.inTheWay().toNanos()) {
            return false;
        }
        double enough = bounds.inTheWayOctetsPerSecondMin()
                * (double) nanos
                / Duration.ofSeconds(1).toNanos();
        boolean slow = inTheWay && inTheWayOctets < enough;
        inTheWay = true;
        inTheWaySince = nowNanos;
        inTheWayOctets = 0;
        return slow;
    }

    Exceeded exceeded(Phase now, long nowNanos) {
        long inPhase = nowNanos - phaseSince;
        if (closing) {
            return inPhase > CLOSING.toNanos() ? Exceeded.CLOSING : Exceeded.NONE;
        }
        return switch (now) {
            // For the whole line: octets alone, now and then, would hold a connection for ever.
            case COMMAND -> nowNanos - commandSince > bounds.idle().toNanos() ? Exceeded.IDLE : Exceeded.NONE;
            case CONTENT -> content(inPhase, nowNanos);
            // Its timeout has failed, and the client is not read, so that nothing else would end this.
            case ROOM -> nowNanos - waitSince > bounds.room().toNanos() ? Exceeded.STUCK : Exceeded.NONE;
            // A delivery and a handshake have timeouts of their own.
            case BUSY, CLOSED -> Exceeded.NONE;
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
