package dev.oneshot.api.inbox;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.RequestMemory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * How much memory all requests together may take for bodies: text that is one JSON string cannot be streamed out of the
 * database. Whoever finds it taken waits a moment and is then told to come again.
 */
@ApplicationScoped
class ReadMemory {

    /** Octets as stored, as text, as JSON, and on their way to the socket. */
    private static final int COPIES = 4;

    private static final long BYTES_MIN = 1024 * 1024;

    /** What is not counted: so much has every request at work for its buffers anyway. */
    private static final long FREE_BYTES = 1024;

    private final RoutingContext request;
    private final RequestMemory memory;

    ReadMemory(RoutingContext request, InboxConfig config, MeterRegistry metrics) {
        long bytes = config.readMemory().asLongValue();
        if (bytes < BYTES_MIN) {
            throw new IllegalArgumentException("oneshot.inbox.read-memory must be at least 1M");
        }
        this.request = request;
        this.memory = new RequestMemory(bytes, config.readWait());
        Gauge.builder("oneshot.inbox.read.memory.reserved", memory, RequestMemory::reservedBytes)
                .description("Octets that requests which read bodies hold")
                .baseUnit("bytes")
                .register(metrics);
        Gauge.builder("oneshot.inbox.read.memory.max", () -> bytes)
                .description("How many they may hold")
                .baseUnit("bytes")
                .register(metrics);
    }

    /**
     * Reserves for this many octets of the present request until it is answered.
     *
     * @throws ApiException 429 or 503 if there is no room in time
     */
    void reserve(long octets) {
        long bytes = octets * COPIES;
        if (bytes >= FREE_BYTES) {
            memory.reserve(request, bytes);
        }
    }
}
