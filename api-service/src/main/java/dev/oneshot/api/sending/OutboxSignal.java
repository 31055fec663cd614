package dev.oneshot.api.sending;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes the thread that publishes the outbox. Safe for use by many threads. */
@ApplicationScoped
class OutboxSignal {

    private final Semaphore raised = new Semaphore(0);

    void raise() {
        if (raised.availablePermits() == 0) {
            raised.release();
        }
    }

    /** Waits for the next signal, or for this long. */
    void await(Duration patience) throws InterruptedException {
        if (raised.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            raised.drainPermits();
        }
    }
}
