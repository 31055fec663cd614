package dev.oneshot.expiry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jboss.logging.Logger;

/** Runs the rounds of the schedules. A stop waits for rounds that have begun, before their connections are closed. */
@Singleton
public final class Rounds {

    private static final Logger LOG = Logger.getLogger(Rounds.class);

    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock();
    private final StopConfig config;
    private final MeterProvider<Counter> failures;
    private volatile boolean stopping;

    Rounds(StopConfig config, MeterRegistry metrics) {
        this.config = config;
        this.failures = Counter.builder("oneshot.expiry.failures")
                .description("Failed rounds, which are retried")
                .withRegistry(metrics);
    }

    /** A part of a round. */
    public interface Task {
        void run() throws SQLException;
    }

    /** Registers the failure counter of a task at zero, so that an alert sees the first failure. */
    public void register(String task) {
        var _ = failures.withTag("task", task);
    }

    /**
     * Runs a task on this thread, in parallel with others; skips it once the service stops. A failure is logged and
     * counted, and the next round tries again.
     */
    public void run(String name, Task task) {
        if (stopping || !running.readLock().tryLock()) {
            return;
        }
        try {
            task.run();
        } catch (SQLException e) {
            failures.withTag("task", name).increment();
            LOG.warnf("round failed task=%s sqlState=%s reason=%s", name, e.getSQLState(), e.getMessage());
        } finally {
            running.readLock().unlock();
        }
    }

    /** Whether the service stops, so that a long round should end early. */
    public boolean isStopping() {
        return stopping;
    }

    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        stopping = true;
        if (!running.writeLock().tryLock(config.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.warnf("rounds did not end in time, interrupting them timeout=%s", config.stopTimeout());
        }
    }
}
