package dev.oneshot.api.inbox;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.RequestEnd;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How much memory all requests together may take for bodies: text that is one JSON string cannot be streamed out of the
 * database. Whoever finds it taken waits a moment and is then told to come again.
 */
@ApplicationScoped
class ReadMemory {

    private static final int UNIT_BYTES = 1024;

    /** Octets as stored, as text, as JSON, and on their way to the socket. */
    private static final int COPIES = 4;

    private final RoutingContext request;
    private final Semaphore units;
    private final int unitsMax;
    private final InboxConfig config;

    ReadMemory(RoutingContext request, InboxConfig config, MeterRegistry metrics) {
        long bytes = config.readMemory().asLongValue();
        if (bytes < 1024 * 1024 || bytes / UNIT_BYTES > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("oneshot.inbox.read-memory must be at least 1M");
        }
        this.request = request;
        this.config = config;
        this.unitsMax = (int) (bytes / UNIT_BYTES);
        this.units = new Semaphore(unitsMax, true);
        Gauge.builder(
                        "oneshot.inbox.read.memory.reserved",
                        units,
                        free -> (unitsMax - free.availablePermits()) * (double) UNIT_BYTES)
                .description("Octets that requests which read bodies hold")
                .baseUnit("bytes")
                .register(metrics);
        Gauge.builder("oneshot.inbox.read.memory.max", () -> unitsMax * (double) UNIT_BYTES)
                .description("How many they may hold")
                .baseUnit("bytes")
                .register(metrics);
    }

    /**
     * Reserves for this many octets of the present request until it is answered.
     *
     * @throws ApiException 503 if there is no room in time
     */
    void reserve(long octets) {
        int wanted = (int) Math.min(unitsMax, octets * COPIES / UNIT_BYTES);
        if (wanted == 0) {
            return;
        }
        try {
            if (!units.tryAcquire(wanted, config.readWait().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new ApiException(ApiError.unavailable(config.readWait()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException(ApiError.unavailable(config.readWait()), e);
        }
        RequestEnd.then(request, () -> units.release(wanted));
    }
}
