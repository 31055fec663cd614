package dev.oneshot.api.background;

import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jboss.logging.Logger;

/**
 * Runs scheduled tasks and batches of records, which use the database. A stop waits for those that have begun, before their
 * connections are closed: Quarkus itself waits for requests alone.
 */
@ApplicationScoped
public class BackgroundWork {

    private static final Logger LOG = Logger.getLogger(BackgroundWork.class);
    private static final Duration STOP_TIMEOUT_MAX = Duration.ofMinutes(10);

    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Duration stopTimeout;

    /** Settings of background work. */
    @ConfigMapping(prefix = "oneshot.background")
    public interface Config {

        /**
         * How long tasks and batches in progress may take when the service stops, 0 to 10 minutes. Another replica repeats those
         * that take longer.
         */
        @WithDefault("PT20S")
        Duration stopTimeout();
    }

    public BackgroundWork(Config config) {
        this.stopTimeout = ValidSetting.between(
                "oneshot.background.stop-timeout", config.stopTimeout(), Duration.ZERO, STOP_TIMEOUT_MAX);
    }

    /** A part of the service's regular work. */
    public interface Task<E extends Exception> {
        void run() throws E;
    }

    /** Runs a task on this thread, in parallel with others; skips it once the service stops. */
    public <E extends Exception> void run(Task<E> task) throws E {
        if (isStopping() || !running.readLock().tryLock()) {
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
        return stopping.getCount() == 0;
    }

    /** Waits; a stop of the service ends the wait. */
    public void pause(Duration time) throws InterruptedException {
        var _ = stopping.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends pauses, before other observers wait for the end of requests. */
    void beginToStop(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) ShutdownEvent event) {
        stopping.countDown();
    }

    /** Waits for the tasks in progress, while the database and the producers are still open. */
    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        if (!running.writeLock().tryLock(stopTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
            LOG.warnf("tasks did not end in time, another replica repeats them timeout=%s", stopTimeout);
        }
    }
}
