package dev.oneshot.local.bench.system;

import dev.oneshot.local.stack.Health;
import java.time.Duration;

/** Polls a service's readiness every 5 ms, because the time until then is measured. */
public final class Readiness {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);

    private Readiness() {}

    /**
     * Returns as soon as the service is ready.
     *
     * @throws IllegalStateException after five minutes
     */
    public static void await(int managementPort) throws InterruptedException {
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (!Health.isReady(managementPort)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("port " + managementPort + " was not ready within " + READY_TIMEOUT);
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }
}
