package dev.oneshot.ingest.transport;

import io.vertx.core.Context;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for room for the message of one session, for some time at the most. To be used on its event loop. */
final class RoomWait {

    /** Ids of timers begin with 0. */
    private static final long NO_TIMER = -1;

    private final MessageMemory.Room room;
    private final Duration max;
    private final SmtpMetrics metrics;
    private final Context eventLoop;

    private @Nullable Wait current;
    private long waits;
    private long timer = NO_TIMER;

    /** One of them. */
    private record Wait(long number, long octets, long since, Consumer<Boolean> over) {}

    /**
     * Nothing is waited for.
     *
     * @param max how long to wait at the most; 0 for not at all
     */
    RoomWait(MessageMemory.Room room, Duration max, SmtpMetrics metrics, Context eventLoop) {
        this.room = room;
        this.max = max;
        this.metrics = metrics;
        this.eventLoop = eventLoop;
    }

    /**
     * Begins to wait.
     *
     * @param unread as of {@link MessageMemory.Room#await}
     * @param over called later, unless {@link #leave} is called before: whether the octets have been taken
     */
    void begin(long octets, long unread, Consumer<Boolean> over) {
        Wait wait = new Wait(++waits, octets, System.nanoTime(), over);
        current = wait;
        boolean queued = !max.isZero() && room.await(octets, unread, () -> eventLoop.runOnContext(_ -> end(wait)));
        if (queued) {
            timer = eventLoop.owner().setTimer(Math.max(1, max.toMillis()), _ -> end(wait));
        } else {
            eventLoop.runOnContext(_ -> end(wait));
        }
    }

    private void end(Wait wait) {
        // Both the octets and the end of the time may come, and the connection may have gone on to another wait.
        if (current == null || current.number != wait.number) {
            return;
        }
        current = null;
        cancelTimer();
        boolean taken = room.stopWaiting();
        metrics.waited(System.nanoTime() - wait.since, taken);
        wait.over.accept(taken);
    }

    /** As of {@link MessageMemory.Room#isInTheWay}. */
    boolean isInTheWay() {
        return room.isInTheWay();
    }

    /** The session is over. */
    void leave() {
        Wait wait = current;
        current = null;
        cancelTimer();
        if (wait != null && room.stopWaiting()) {
            room.release(wait.octets);
        }
    }

    private void cancelTimer() {
        if (timer != NO_TIMER) {
            eventLoop.owner().cancelTimer(timer);
            timer = NO_TIMER;
        }
    }
}
