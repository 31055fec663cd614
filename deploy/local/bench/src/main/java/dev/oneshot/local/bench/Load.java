package dev.oneshot.local.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Workers on virtual threads that repeat an operation for a bounded time.
 *
 * @param <C> what a worker uses, as a connection
 * @param workers their number
 * @param open called once for each worker
 * @param operation done by each worker with its own connection
 */
public record Load<C extends AutoCloseable>(int workers, Callable<C> open, Operation<C> operation) {

    private static final double NANOS_IN_SECOND = 1e9;
    private static final int DIGITS = 3;

    /** The operation that a load repeats. */
    @FunctionalInterface
    public interface Operation<C> {

        /**
         * Does the operation; one thread at a time uses a connection.
         *
         * @return true if it succeeded, false if the server rejected it in an orderly way
         * @throws Exception if it failed, which ends the measurement
         */
        boolean once(C connection) throws Exception;
    }

    /**
     * The result of a measurement.
     *
     * @param done operations that succeeded
     * @param refused operations that the server rejected
     * @param seconds from the first operation to the end of the last
     * @param latency of those that succeeded, in nanoseconds
     */
    public record Outcome(long done, long refused, double seconds, Histogram latency) {

        public double perSecond() {
            return done / seconds;
        }
    }

    /** A load in the background. */
    @FunctionalInterface
    public interface Running {
        Outcome stop() throws Exception;
    }

    /** An empty histogram of nanoseconds, which any number of threads may record. */
    public static Histogram latency() {
        return new ConcurrentHistogram(DIGITS);
    }

    /** Returns the values round-robin. */
    public static <T> Supplier<T> roundRobin(List<T> values) {
        AtomicInteger next = new AtomicInteger();
        return () -> values.get(Math.floorMod(next.getAndIncrement(), values.size()));
    }

    /**
     * Waits until a condition is true.
     *
     * @throws IllegalStateException after the timeout, with the state at that time
     */
    public static void await(Callable<Boolean> done, Duration interval, Duration timeout, Supplier<String> state)
            throws Exception {
        long begin = System.nanoTime();
        while (!done.call()) {
            if (System.nanoTime() - begin > timeout.toNanos()) {
                throw new IllegalStateException("after " + timeout + ": " + state.get());
            }
            LockSupport.parkNanos(interval.toNanos());
        }
    }

    /** At full speed: each worker starts the next operation when the last one ends. */
    public Outcome peak(Duration time) throws Exception {
        return peak(time, Long.MAX_VALUE);
    }

    /** As {@link #peak}, but with at most this many operations. */
    public Outcome peak(Duration time, long operationsMax) throws Exception {
        return run(new Round(time, operationsMax, 0));
    }

    /** At a fixed rate. A latency starts when the operation is due, so a stall counts for all operations it delays. */
    public Outcome atRate(double perSecond, Duration time) throws Exception {
        return run(new Round(time, Long.MAX_VALUE, perSecond));
    }

    /** As {@link #atRate}, in the background until it is stopped, at most a day. */
    public Running start(double perSecond) {
        Round round = new Round(Duration.ofDays(1), Long.MAX_VALUE, perSecond);
        FutureTask<Outcome> task = new FutureTask<>(() -> run(round));
        Thread.startVirtualThread(task);
        return () -> {
            round.stopped = true;
            return task.get();
        };
    }

    private Outcome run(Round round) throws Exception {
        List<C> connections = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                C connection = open.call();
                connections.add(connection);
                tasks.add(() -> round.repeat(operation, connection));
            }
            round.begin = System.nanoTime();
            for (Future<?> worker : threads.invokeAll(tasks)) {
                worker.get();
            }
            return round.outcome();
        } finally {
            for (C connection : connections) {
                connection.close();
            }
        }
    }

    private static final class Round {

        private final long timeNanos;
        private final long operationsMax;
        private final double perSecond;
        private final AtomicLong next = new AtomicLong();
        private final AtomicLong last = new AtomicLong(1);
        private final LongAdder refused = new LongAdder();
        private final Histogram latency = latency();
        private volatile boolean stopped;
        private long begin;

        /** @param perSecond 0 for full speed */
        Round(Duration time, long operationsMax, double perSecond) {
            this.timeNanos = time.toNanos();
            this.operationsMax = operationsMax;
            this.perSecond = perSecond;
        }

        <C> boolean repeat(Operation<C> operation, C connection) throws Exception {
            while (!stopped) {
                long number = next.getAndIncrement();
                long due = perSecond == 0 ? System.nanoTime() : begin + (long) (number * NANOS_IN_SECOND / perSecond);
                if (due - begin >= timeNanos || number >= operationsMax) {
                    break;
                }
                for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                boolean success = operation.once(connection);
                long now = System.nanoTime();
                last.accumulateAndGet(now - begin, Math::max);
                if (success) {
                    latency.recordValue(now - due);
                } else {
                    refused.increment();
                }
            }
            return true;
        }

        /** The rate also counts the time of operations that end late. */
        Outcome outcome() {
            return new Outcome(latency.getTotalCount(), refused.sum(), last.get() / NANOS_IN_SECOND, latency);
        }
    }
}
