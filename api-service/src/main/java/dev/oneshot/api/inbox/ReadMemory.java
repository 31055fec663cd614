package dev.oneshot.api.inbox;

import dev.oneshot.api.address.PageMemory;
import dev.oneshot.api.body.Pace;
import dev.oneshot.api.body.RequestMemory;
import dev.oneshot.api.connection.RequestEnd;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.request.RequestState;
import dev.oneshot.contracts.setting.ValidSetting;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits the memory of all mail and lists that are being read: text, which is one JSON string and cannot be streamed out of the database, and what
 * a download has read ahead. A response that its client does not read in time is cut off, so memory is not held for ever. While
 * others wait, a response that its client reads slowly is cut off too. Small mail has memory of its own, so that
 * it does not wait for large mail.
 */
@ApplicationScoped
class ReadMemory implements PageMemory {

    /** How much of a download one statement reads. */
    static final int CHUNK_BYTES = 256 * 1024;

    /** Bytes as stored, as text, as JSON, and on their way to the socket. */
    private static final int COPIES = 4;

    /** One chunk from the database and one on its way to the client. */
    private static final int CHUNK_COPIES = 2;

    private static final long SAMPLE_MILLIS = 100;

    private static final long SMALL_BYTES_MAX = 64 * 1024;

    /** Responses up to this size are not counted: every request has buffers this large. */
    private static final long FREE_BYTES = 1024;

    private final RoutingContext request;
    private final RequestMemory memory;
    private final RequestMemory smallMemory;
    private final Duration time;
    /** Responses that would take longer than this are slow. Well below the time that others wait. */
    private final Duration longest;

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
        this.smallMemory = RequestMemory.of(
                "oneshot.inbox.small-read-memory",
                config.smallReadMemory(),
                config.readWait(),
                "oneshot.inbox.read.small.memory.reserved",
                metrics);
        this.time = config.readTime();
        this.longest = config.readWait().dividedBy(2);
        this.bytesPerSecondMin = ValidSetting.atLeast(
                "oneshot.inbox.read-rate-min", config.readRateMin().asLongValue(), 1L);
        this.brokenOff = Counter.builder("oneshot.inbox.read.broken.off")
                .description("Responses with mail that their clients did not take in time")
                .register(metrics);
    }

    /**
     * Reserves for a response that contains this many bytes of mail, or characters of a list, until it is written to the socket.
     *
     * @throws ApiException 429 or 503 if there is no room in time
     */
    @Override
    public void reserve(long bytes) {
        reserve(bytes * COPIES, bytes);
    }

    /**
     * Reserves for a download until it is written to the socket.
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
            Response response = new Response(request, responseBytes, longest);
            (responseBytes <= SMALL_BYTES_MAX ? smallMemory : memory).reserve(request, bytes, response);
            response.breakOffAfter(time.plusSeconds(responseBytes / bytesPerSecondMin));
        }
    }

    /** A response that its client takes. */
    private final class Response implements RequestMemory.Use {

        private final Vertx vertx;
        private final HttpConnection connection;
        private final HttpServerResponse response;
        private final Pace pace;
        private final AtomicBoolean isEnded = new AtomicBoolean();
        /** Completes when the client's socket has all of it. */
        private final CompletableFuture<Void> written = new CompletableFuture<>();

        private long leftMillis;
        /** For how long the client has taken nothing. Guarded by this, as {@link #takenBytes}. */
        private long pausedMillis;

        private long takenBytes;

        Response(RoutingContext request, long bytes, Duration longest) {
            this.vertx = request.vertx();
            this.connection = request.request().connection();
            this.response = request.response();
            this.pace = new Pace(bytes, longest);
            RequestState.of(request).atEnd(() -> RequestEnd.whenWritten(connection, () -> written.complete(null)));
        }

        /** The last bytes of a response stay in memory after its end. */
        @Override
        public void whenDone(RequestState request, Runnable action) {
            var _ = written.thenRun(action);
        }

        void breakOffAfter(Duration longest) {
            leftMillis = longest.toMillis();
            long timer = vertx.setPeriodic(Math.min(leftMillis, SAMPLE_MILLIS), _ -> sample());
            var _ = written.thenRun(() -> vertx.cancelTimer(timer));
        }

        /**
         * Uses the connection without holding this object's lock, to avoid a deadlock: requests end under the connection's lock,
         * their end waits for the lock of {@link RequestMemory}, and its owner may wait for this object in {@link #isSlow}.
         */
        private void sample() {
            leftMillis -= SAMPLE_MILLIS;
            if (leftMillis <= 0) {
                endForOthers();
            } else if (RequestEnd.isUntaken(connection) || response.ended()) {
                // Counts only time in which the service waits for the client.
                waited(response.bytesWritten());
            }
        }

        private synchronized void waited(long bytesWritten) {
            pausedMillis += SAMPLE_MILLIS;
            if (bytesWritten > takenBytes) {
                takenBytes = bytesWritten;
                pace.moved(TimeUnit.MILLISECONDS.toNanos(pausedMillis), takenBytes);
                pausedMillis = 0;
            }
        }

        @Override
        public synchronized boolean isSlow(long patienceNanos) {
            return pace.isSlow(TimeUnit.MILLISECONDS.toNanos(pausedMillis), patienceNanos);
        }

        @Override
        public void endForOthers() {
            if (!isEnded.getAndSet(true)) {
                brokenOff.increment();
                RequestEnd.breakOff(connection);
            }
        }
    }
}
