package dev.oneshot.api.schedule;

import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jboss.logging.Logger;

/**
 * Runs scheduled tasks that use the database. A stop waits for those that have begun, before their connections are closed:
 * Quarkus itself waits for requests alone.
 */
@ApplicationScoped
public class ScheduledRuns {

    private static final Logger LOG = Logger.getLogger(ScheduledRuns.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock();
    private volatile boolean stopping;

    /** A part of the service's regular work. */
    public interface Task<E extends Exception> {
        void run() throws E;
    }

    /** Runs a task on this thread, in parallel with others; skips it once the service stops. */
    public <E extends Exception> void run(Task<E> task) throws E {
        if (stopping || !running.readLock().tryLock()) {
            return;
        }
        try {
            task.run();
        } finally {
            running.readLock().unlock();
        }
    }

    /** Whether the service stops, so that a long task should end early. */
    public boolean isStopping() {
        return stopping;
    }

    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        stopping = true;
        if (!running.writeLock().tryLock(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            LOG.warnf("scheduled tasks did not end in time timeout=%s", STOP_TIMEOUT);
        }
    }
}
