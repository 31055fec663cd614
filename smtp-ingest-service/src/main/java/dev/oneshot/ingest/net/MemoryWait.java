package dev.oneshot.ingest.net;

import dev.oneshot.ingest.memory.MessageMemory;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for memory for the message of one session, with a timeout. For use on its event loop only. */
final class MemoryWait {

    /** Ids of timers begin with 0. */
    private static final long NO_TIMER = -1;

    private final MessageMemory.Room room;
    private final Duration max;
    private final SmtpMetrics metrics;
    private final Context eventLoop;

    private @Nullable Wait current;
    private long waits;
    private long timer = NO_TIMER;

    /** A wait in progress. */
    private record Wait(long number, long octets, long since, Consumer<Boolean> over) {}

    /** @param max the longest wait; 0 for no wait */
    MemoryWait(MessageMemory.Room room, Duration max, SmtpMetrics metrics, Context eventLoop) {
        this.room = room;
        this.max = max;
        this.metrics = metrics;
        this.eventLoop = eventLoop;
    }

    /**
     * Begins to wait.
     *
     * @param unread see {@link MessageMemory.Room#await}
     * @param over called later, unless {@link #leave} is called before, with true if the octets have been taken
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
        // Both the octets and the timeout may come, and the connection may already have another wait.
        if (current == null || current.number != wait.number) {
            return;
        }
        current = null;
        cancelTimer();
        boolean taken = room.stopWaiting();
        metrics.waited(System.nanoTime() - wait.since, taken);
        wait.over.accept(taken);
    }

    /** See {@link MessageMemory.Room#blocksOthers}. */
    boolean blocksOthers() {
        return room.blocksOthers();
    }

    /** Ends the session's wait. */
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
