package dev.oneshot.api.inbox;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.RequestEnd;
import dev.oneshot.api.http.RequestMemory;
import dev.oneshot.contracts.setting.ValidSetting;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * Limits the memory of all mail that is being read: text, which is one JSON string and cannot be streamed out of the database, and what
 * a download has read ahead. A response that its client does not read in time is cut off, so memory is not held for ever.
 */
@ApplicationScoped
class ReadMemory {

    /** How much of a download one statement reads. */
    static final int CHUNK_BYTES = 256 * 1024;

    /** Bytes as stored, as text, as JSON, and on their way to the socket. */
    private static final int COPIES = 4;

    /** One chunk from the database and one on its way to the client. */
    private static final int CHUNK_COPIES = 2;

    /** Not counted: every request has buffers of this size anyway. */
    private static final long FREE_BYTES = 1024;

    private final RoutingContext request;
    private final RequestMemory memory;
    private final Duration time;
    private final long bytesPerSecondMin;
    private final Counter brokenOff;

    ReadMemory(RoutingContext request, InboxConfig config, MeterRegistry metrics) {
        ValidSetting.require(config.readTime().isPositive(), "oneshot.inbox.read-time must be positive");
        this.request = request;
        this.memory = RequestMemory.of(
                "oneshot.inbox.read-memory",
                config.readMemory(),
                config.readWait(),
                "oneshot.inbox.read.memory.reserved",
                metrics);
        this.time = config.readTime();
        this.bytesPerSecondMin = ValidSetting.atLeast(
                "oneshot.inbox.read-rate-min", config.readRateMin().asLongValue(), 1L);
        this.brokenOff = Counter.builder("oneshot.inbox.read.broken.off")
                .description("Responses with mail that their clients did not take in time")
                .register(metrics);
    }

    /**
     * Reserves for a response that contains this many bytes of mail, until it is sent.
     *
     * @throws ApiException 429 or 503 if there is no room in time
     */
    void reserve(long bytes) {
        reserve(bytes * COPIES, bytes);
    }

    /**
     * Reserves for a download until it has ended.
     *
     * @param heldBytes other bytes of mail that stay in memory until then
     * @param bytesMax the largest length of the download
     * @throws ApiException 429 or 503 if there is no room in time
     */
    void reserveForDownload(long heldBytes, long bytesMax) {
        reserve(heldBytes * COPIES + Math.min(CHUNK_BYTES, bytesMax) * CHUNK_COPIES, bytesMax);
    }

    private void reserve(long bytes, long responseBytes) {
        if (bytes >= FREE_BYTES) {
            memory.reserve(request, 0, bytes);
            breakOffAfter(time.plusSeconds(responseBytes / bytesPerSecondMin));
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
