package dev.oneshot.local.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Workers on virtual threads that repeat an operation for a bounded time. */
public final class Load {

    private static final double NANOS_IN_SECOND = 1e9;

    private final int workers;
    private final Callable<? extends Worker> source;

    private Load(int workers, Callable<? extends Worker> source) {
        this.workers = workers;
        this.source = source;
    }

    /** Does the operation; used by one thread. */
    @FunctionalInterface
    public interface Worker extends AutoCloseable {

        /**
         * Does the operation once.
         *
         * @return true if it succeeded, false if the server rejected it in an orderly way
         * @throws Exception if it failed, which ends the measurement
         */
        boolean once() throws Exception;

        @Override
        default void close() throws IOException, SQLException {}
    }

    /**
     * The result of a measurement.
     *
     * @param done operations that succeeded
     * @param refused operations that the server rejected
     * @param seconds from the first operation to the last
     * @param latency of those that succeeded
     */
    public record Outcome(long done, long refused, double seconds, Latency latency) {

        public double perSecond() {
            return done / seconds;
        }
    }

    /** A load in the background. */
    @FunctionalInterface
    public interface Running {
        Outcome stop() throws Exception;
    }

    /** @param source makes one worker per call */
    public static Load of(int workers, Callable<? extends Worker> source) {
        return new Load(workers, source);
    }

    /** At full speed: each worker starts the next operation when the last one ends. */
    public Outcome peak(Duration warmUp, Duration time) throws Exception {
        return peak(warmUp, time, Long.MAX_VALUE);
    }

    /** As {@link #peak}, but with at most this many operations. */
    public Outcome peak(Duration warmUp, Duration time, long operationsMax) throws Exception {
        return run(new Round(warmUp, time, operationsMax, 0));
    }

    /** At a fixed rate. A latency starts when the operation is due, so a stall counts for all operations it delays. */
    public Outcome atRate(double perSecond, Duration warmUp, Duration time) throws Exception {
        return run(new Round(warmUp, time, Long.MAX_VALUE, (long) (NANOS_IN_SECOND / perSecond)));
    }

    /** As {@link #atRate}, in the background until it is stopped, at most a day. */
    public Running start(double perSecond) {
        Round round =
                new Round(Duration.ZERO, Duration.ofDays(1), Long.MAX_VALUE, (long) (NANOS_IN_SECOND / perSecond));
        FutureTask<Outcome> task = new FutureTask<>(() -> run(round));
        Thread.startVirtualThread(task);
        return () -> {
            round.stopped = true;
            return task.get();
        };
    }

    private Outcome run(Round round) throws Exception {
        List<Worker> open = new ArrayList<>();
        try {
            for (int i = 0; i < workers; i++) {
                open.add(source.call());
            }
            round.begin();
            List<Future<?>> running = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                open.forEach(worker -> running.add(threads.submit(() -> {
                    round.repeat(worker);
                    return null;
                })));
            }
            for (Future<?> worker : running) {
                worker.get();
            }
            return round.outcome();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            for (Worker worker : open) {
                worker.close();
            }
        }
    }

    private static final class Round {

        private final Duration warmUp;
        private final Duration time;
        private final long operationsMax;
        private final long intervalNanos;
        private final AtomicLong next = new AtomicLong();
        private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);
        private final LongAdder done = new LongAdder();
        private final LongAdder refused = new LongAdder();
        private final Latency latency = new Latency();
        private volatile boolean stopped;
        private long begin;

        Round(Duration warmUp, Duration time, long operationsMax, long intervalNanos) {
            this.warmUp = warmUp;
            this.time = time;
            this.operationsMax = operationsMax;
            this.intervalNanos = intervalNanos;
        }

        /** Starts the clock, once all workers are open. */
        void begin() {
            begin = System.nanoTime();
        }

        void repeat(Worker worker) throws Exception {
            long measureFrom = begin + warmUp.toNanos();
            long end = measureFrom + time.toNanos();
            while (!stopped) {
                long number = next.getAndIncrement();
                long due = intervalNanos == 0 ? System.nanoTime() : begin + number * intervalNanos;
                if (due - end >= 0 || number >= operationsMax) {
                    return;
                }
                await(due);
                boolean success = worker.once();
                long now = System.nanoTime();
                if (due - measureFrom >= 0) {
                    (success ? done : refused).increment();
                    last.accumulateAndGet(now - begin, Math::max);
                    if (success) {
                        latency.record(now - due);
                    }
                }
            }
        }

        /** Operations that end late extend the time that the rate is computed over. */
        Outcome outcome() {
            long measured = Math.max(last.get() - warmUp.toNanos(), 1);
            return new Outcome(done.sum(), refused.sum(), measured / NANOS_IN_SECOND, latency);
        }

        private static void await(long due) {
            long wait = due - System.nanoTime();
            while (wait > 0) {
                LockSupport.parkNanos(wait);
                wait = due - System.nanoTime();
            }
        }
    }
}
