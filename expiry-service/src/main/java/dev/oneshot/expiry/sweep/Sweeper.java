package dev.oneshot.expiry.sweep;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * Runs one sweep until no rows are left: batch after batch, each in its own transaction, with several workers after a
 * full first batch. It may be killed at any point.
 */
final class Sweeper {

    private static final Duration REST_MAX = Duration.ofSeconds(1);

    private final DataSource database;
    private final Sweep sweep;
    private final int parallelism;
    private final Counter rows;
    private final Timer batches;
    private final BooleanSupplier stopping;

    /** @param stopping whether no further batch should begin */
    Sweeper(DataSource database, Sweep sweep, SweepConfig config, MeterRegistry metrics, BooleanSupplier stopping) {
        this.database = database;
        this.sweep = sweep;
        this.parallelism = config.parallelism();
        this.stopping = stopping;
        this.rows = Counter.builder("oneshot.expiry.rows")
                .description("Rows swept")
                .tag("sweep", sweep.name())
                .register(metrics);
        this.batches = Timer.builder("oneshot.expiry.batch")
                .description("Time of one batch, with its commit")
                .tag("sweep", sweep.name())
                .register(metrics);
    }

    String name() {
        return sweep.name();
    }

    /**
     * Sweeps all rows that are due. Rows locked by another replica are left to it.
     *
     * @return the number of rows swept
     * @throws SQLException if a batch failed and was rolled back; other batches stay committed
     */
    long sweepAll() throws SQLException {
        // Begins with one worker, as usually there is little to do: an idle replica costs one connection and one probe.
        Sweep.Batch first = sweepBatch();
        return first.isFull() ? first.rows() + sweepRestInParallel() : first.rows();
    }

    private long sweepRestInParallel() throws SQLException {
        Callable<Long> worker = this::sweepUntilDone;
        long swept = 0;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Long> done : executor.invokeAll(Collections.nCopies(parallelism, worker))) {
                swept += done.get();
            }
            return swept;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new IllegalStateException("a sweep worker failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sweeping", e);
        }
    }

    /** Rests after each full batch for as long as the batch took, so readers are served when the database is slow. */
    private long sweepUntilDone() throws SQLException, InterruptedException {
        long swept = 0;
        boolean isFull = true;
        while (isFull && !stopping.getAsBoolean()) {
            long begin = System.nanoTime();
            Sweep.Batch batch = sweepBatch();
            swept += batch.rows();
            isFull = batch.isFull();
            if (isFull && !stopping.getAsBoolean()) {
                Thread.sleep(Duration.ofNanos(Math.min(System.nanoTime() - begin, REST_MAX.toNanos())));
            }
        }
        return swept;
    }

    private Sweep.Batch sweepBatch() throws SQLException {
        Timer.Sample started = Timer.start();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Sweep.Batch swept = sweep.sweepBatch(connection);
                connection.commit();
                rows.increment(swept.rows());
                started.stop(batches);
                return swept;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }
}
