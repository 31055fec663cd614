package dev.oneshot.local.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Workers on virtual threads, each with what it needs to itself, that repeat an operation for a bounded time. */
public final class Load {

    private static final double NANOS_IN_SECOND = 1e9;

    private final int workers;
    private final Source source;

    private Load(int workers, Source source) {
        this.workers = workers;
        this.source = source;
    }

    /** Whoever does the operation; used by one thread. */
    public interface Worker extends AutoCloseable {

        /**
         * Does it once.
         *
         * @return whether it was done; false if it was refused in an orderly way
         * @throws Exception if it failed, which ends the measurement
         */
        boolean once() throws Exception;

        @Override
        default void close() throws IOException {}
    }

    /** Makes workers. */
    @FunctionalInterface
    public interface Source {
        Worker open(int number) throws Exception;
    }

    /**
     * What came of it.
     *
     * @param done operations that succeeded
     * @param refused operations that were refused
     * @param seconds from the first to the last
     * @param latency of those that succeeded
     */
    public record Outcome(long done, long refused, double seconds, Latency latency) {

        public double perSecond() {
            return done / seconds;
        }
    }

    public static Load of(int workers, Source source) {
        return new Load(workers, source);
    }

    /** As fast as it goes: each worker begins the next operation when the last has ended. */
    public Outcome peak(Duration warmUp, Duration time) throws Exception {
        return run(warmUp, time, Long.MAX_VALUE, 0);
    }

    /** As {@link #peak}, but ends after this many operations at the latest. */
    public Outcome peak(Duration warmUp, Duration time, long operationsMax) throws Exception {
        return run(warmUp, time, operationsMax, 0);
    }

    /**
     * At a fixed rate, whatever the answers take: a latency counts from when the operation was due, so that a stall is
     * seen by all that it holds up.
     */
    public Outcome atRate(double perSecond, Duration warmUp, Duration time) throws Exception {
        return run(warmUp, time, Long.MAX_VALUE, (long) (NANOS_IN_SECOND / perSecond));
    }

    private Outcome run(Duration warmUp, Duration time, long operationsMax, long intervalNanos) throws Exception {
        List<Worker> open = new ArrayList<>();
        try {
            for (int i = 0; i < workers; i++) {
                open.add(source.open(i));
            }
            Round round = new Round(warmUp, time, operationsMax, intervalNanos);
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

        private final long intervalNanos;
        private final long operationsMax;
        private final long begin = System.nanoTime();
        private final long measureFrom;
        private final long end;
        private final AtomicLong next = new AtomicLong();
        private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);
        private final LongAdder done = new LongAdder();
        private final LongAdder refused = new LongAdder();
        private final Latency latency = new Latency();

        Round(Duration warmUp, Duration time, long operationsMax, long intervalNanos) {
            this.intervalNanos = intervalNanos;
            this.operationsMax = operationsMax;
            this.measureFrom = begin + warmUp.toNanos();
            this.end = measureFrom + time.toNanos();
        }

        void repeat(Worker worker) throws Exception {
            while (true) {
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

        /** Operations that ended late lengthen the time they are counted over. */
        Outcome outcome() {
            long measured = Math.max(last.get() - (measureFrom - begin), 1);
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
