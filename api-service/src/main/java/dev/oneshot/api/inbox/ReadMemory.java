package dev.oneshot.api.inbox;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.RequestEnd;
import dev.oneshot.api.http.RequestMemory;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * How much memory all requests together may take for mail on its way to its reader: bodies, since text that is one JSON string
 * cannot be streamed out of the database, and what a download has read ahead of its reader. Whoever finds it taken waits a moment
 * and is then told to come again. What is taken is not kept for ever: an answer that is not read in time is broken off.
 */
@ApplicationScoped
class ReadMemory {

    /** Octets as stored, as text, as JSON, and on their way to the socket. */
    private static final int COPIES = 4;

    /** What a download has read from the database and what of it is on its way. */
    private static final int CHUNK_COPIES = 2;

    private static final long BYTES_MIN = 1024 * 1024;

    /** What is not counted: so much has every request at work for its buffers anyway. */
    private static final long FREE_BYTES = 1024;

    private final RoutingContext request;
    private final RequestMemory memory;
    private final Duration time;
    private final long bytesPerSecondMin;
    private final Counter brokenOff;

    ReadMemory(RoutingContext request, InboxConfig config, MeterRegistry metrics) {
        long bytes = config.readMemory().asLongValue();
        if (bytes < BYTES_MIN) {
            throw new IllegalArgumentException("oneshot.inbox.read-memory must be at least 1M");
        }
        if (!config.readTime().isPositive()) {
            throw new IllegalArgumentException("oneshot.inbox.read-time must be positive");
        }
        if (config.readRateMin().asLongValue() < 1) {
            throw new IllegalArgumentException("oneshot.inbox.read-rate-min must be at least 1");
        }
        this.request = request;
        this.memory = new RequestMemory(bytes, config.readWait());
        this.time = config.readTime();
        this.bytesPerSecondMin = config.readRateMin().asLongValue();
        this.brokenOff = Counter.builder("oneshot.inbox.read.broken.off")
                .description("Answers with mail in them that their readers did not take in time")
                .register(metrics);
        Gauge.builder("oneshot.inbox.read.memory.reserved", memory, RequestMemory::reservedBytes)
                .description("Octets that requests which read mail hold")
                .baseUnit("bytes")
                .register(metrics);
        Gauge.builder("oneshot.inbox.read.memory.max", () -> bytes)
                .description("How many they may hold")
                .baseUnit("bytes")
                .register(metrics);
    }

    /**
     * Reserves for this many octets, all of which the answer to the present request has in it, until it is answered.
     *
     * @throws ApiException 429 or 503 if there is no room in time
     */
    void reserve(long octets) {
        reserve(octets * COPIES, octets);
    }

    /**
     * Reserves for a download until it has ended.
     *
     * @param heldOctets of other things that are held meanwhile
     * @param chunkOctets how many are read ahead
     * @param octetsMax how many there are at the most
     * @throws ApiException 429 or 503 if there is no room in time
     */
    void reserveForDownload(long heldOctets, int chunkOctets, long octetsMax) {
        reserve(heldOctets * COPIES + (long) chunkOctets * CHUNK_COPIES, octetsMax);
    }

    private void reserve(long bytes, long answerBytes) {
        if (bytes >= FREE_BYTES) {
            memory.reserve(request, bytes);
            breakOffAfter(time.plusSeconds(answerBytes / bytesPerSecondMin));
        }
    }

    private void breakOffAfter(Duration longest) {
        Vertx vertx = request.vertx();
        HttpConnection connection = request.request().connection();
        long timer = vertx.setTimer(longest.toMillis(), _ -> {
            brokenOff.increment();
            RequestEnd.breakOff(connection);
        });
        RequestEnd.then(request, () -> vertx.cancelTimer(timer));
    }
}
