package dev.oneshot.expiry;

import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jboss.logging.Logger;

/** Runs the rounds of the schedules. A stop waits for rounds that have begun, before their connections are closed. */
@Singleton
public final class Rounds {

    private static final Logger LOG = Logger.getLogger(Rounds.class);

    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock();
    private final StopConfig config;
    private volatile boolean stopping;

    Rounds(StopConfig config) {
        this.config = config;
    }

    /** Runs a round on this thread, in parallel with others; skips it once the service stops. */
    public void run(Runnable round) {
        if (stopping || !running.readLock().tryLock()) {
            return;
        }
        try {
            round.run();
        } finally {
            running.readLock().unlock();
        }
    }

    /** Runs after the observers that end rounds early. */
    void stop(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) ShutdownEvent event) throws InterruptedException {
        stopping = true;
        if (!running.writeLock().tryLock(config.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.warnf("rounds did not end in time, interrupting them timeout=%s", config.stopTimeout());
        }
    }
}
