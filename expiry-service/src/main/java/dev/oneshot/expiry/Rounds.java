package dev.oneshot.expiry;

import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jboss.logging.Logger;

/** What the schedules do, round by round. A stop lets those end that have begun, before their connections are closed. */
@Singleton
public final class Rounds {

    private static final Logger LOG = Logger.getLogger(Rounds.class);

    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock();
    private final StopConfig config;
    private volatile boolean stopping;

    Rounds(StopConfig config) {
        this.config = config;
    }

    /** Runs it on this thread, beside others; or not at all once the service stops. */
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

    /** After all who can end a round early were told to. */
    void stop(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) ShutdownEvent event) throws InterruptedException {
        stopping = true;
        if (!running.writeLock().tryLock(config.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.warnf("rounds did not end in time, broken off timeout=%s", config.stopTimeout());
        }
    }
}
