package dev.oneshot.contracts.log;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a fault that may occur many times a second to two lines of the log: its first occurrence, and its end when it has not occurred
 * for ten seconds. Callers count all of them in a metric. Safe for use by many threads.
 */
public final class RepeatedFault {

    static final Duration QUIET = Duration.ofSeconds(10);

    private static final Executor LATER =
            CompletableFuture.delayedExecutor(QUIET.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread);

    private final End end;
    private long since;
    private long last;
    private long count;

    /** Logs the end of a fault. */
    @FunctionalInterface
    public interface End {

        /**
         * Called once for each fault that has ended.
         *
         * @param count how often the fault occurred
         * @param seconds from the first to the last occurrence
         */
        void log(long count, long seconds);
    }

    /** @param end called on a thread of its own */
    public RepeatedFault(End end) {
        this.end = end;
    }

    /** Counts an occurrence; true if it is the first, which the caller logs. */
    public synchronized boolean begins() {
        last = System.nanoTime();
        count++;
        if (count > 1) {
            return false;
        }
        since = last;
        LATER.execute(this::endIfQuiet);
        return true;
    }

    private void endIfQuiet() {
        long ended;
        long seconds;
        synchronized (this) {
            if (System.nanoTime() - last < QUIET.toNanos()) {
                LATER.execute(this::endIfQuiet);
                return;
            }
            ended = count;
            seconds = TimeUnit.NANOSECONDS.toSeconds(last - since);
            count = 0;
        }
        end.log(ended, seconds);
    }
}
