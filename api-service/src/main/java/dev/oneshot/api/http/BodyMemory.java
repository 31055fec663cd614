package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much memory the bodies of all requests together may take: as they come, decoded, and as the event that is
 * made of them. Whoever finds it taken waits a while and is then told to come again. Small ones have memory of their own, so that
 * they do not wait for large ones; the smallest are not counted.
 */
@ApplicationScoped
class BodyMemory {

    /** What is not counted: so much has every request at work for its buffers anyway. */
    private static final int FREE_BYTES = 4 * 1024;

    private static final int SMALL_BYTES_MAX = 64 * 1024;

    private static final long BYTES_MIN = 1024 * 1024;

    /** What a body takes at its worst, which is text: as characters twice its octets, and once as octets. */
    private static final int COPIES = 3;

    private final RoutingContext request;
    private final RequestMemory memory;
    private final RequestMemory smallMemory;
    private final Duration receive;
    private final Counter told;

    BodyMemory(RoutingContext request, HttpConfig config, MeterRegistry registry) {
        long bytes = config.bodyMemory().asLongValue();
        if (bytes < BYTES_MIN) {
            throw new IllegalArgumentException("oneshot.http.body-memory must be at least 1M");
        }
        long smallBytes = config.smallBodyMemory().asLongValue();
        if (smallBytes < BYTES_MIN) {
            throw new IllegalArgumentException("oneshot.http.small-body-memory must be at least 1M");
        }
        if (config.bodyWait().isNegative()) {
            throw new IllegalArgumentException("oneshot.http.body-wait must not be negative");
        }
        if (!config.bodyReceive().isPositive()) {
            throw new IllegalArgumentException("oneshot.http.body-receive must be positive");
        }
        this.request = request;
        this.memory = new RequestMemory(bytes, config.bodyWait());
        this.smallMemory = new RequestMemory(smallBytes, config.bodyWait());
        this.receive = config.bodyReceive();
        this.told = Counter.builder("oneshot.http.body.refused")
                .description("Requests that were told to come again, for want of memory for their bodies")
                .register(registry);
        Gauge.builder("oneshot.http.body.memory", memory, RequestMemory::reservedBytes)
                .description("Memory that large requests at work have reserved")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("oneshot.http.body.small.memory", smallMemory, RequestMemory::reservedBytes)
                .description("Memory that small requests at work have reserved")
                .baseUnit("bytes")
                .register(registry);
    }

    /**
     * The body of the present request, which reserves room for itself, until the request is answered; more than half of all when
     * it has come so far. Reading it throws 429 or 503 if there is no room in time, and 408 if it takes too long to come,
     * large or not.
     *
     * @param bytesMax the most octets it may have
     * @param isDeclared whether it says itself how many it has; otherwise it is taken for a small one until it is none
     */
    InputStream reserving(InputStream body, long bytesMax, boolean isDeclared) {
        return new Reserving(body, bytesMax, isDeclared);
    }

    private final class Reserving extends FilterInputStream {

        private final long bytesMax;
        private long bytes;
        private RequestMemory.@Nullable Reservation reserved;
        private boolean isSmall;
        private boolean isSmallReserved;
        private long begunAt = System.nanoTime();
        private boolean over;

        Reserving(InputStream in, long bytesMax, boolean isDeclared) {
            super(in);
            this.bytesMax = bytesMax;
            this.isSmall = !isDeclared || bytesMax <= SMALL_BYTES_MAX;
        }

        @Override
        public int read() throws IOException {
            int octet = in.read();
            count(octet < 0 ? 0 : 1);
            return octet;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = in.read(buffer, offset, length);
            count(read);
            return read;
        }

        @Override
        public long skip(long count) throws IOException {
            long skipped = in.skip(count);
            count(skipped);
            return skipped;
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        private void count(long read) {
            bytes += Math.max(0, read);
            if (System.nanoTime() - begunAt > receive.toNanos()) {
                throw refused(new ApiException(ApiError.requestTimeout()));
            }
            if (bytes > SMALL_BYTES_MAX) {
                isSmall = false;
            }
            if (bytes > FREE_BYTES) {
                reserve();
            }
        }

        private void reserve() {
            try {
                if (isSmall && !isSmallReserved) {
                    smallMemory.reserve(request, Math.min(bytesMax, SMALL_BYTES_MAX) * COPIES);
                    isSmallReserved = true;
                    begunAt = System.nanoTime();
                } else if (!isSmall && reserved == null) {
                    reserved = memory.begin(request, bytesMax * COPIES);
                    // What it waited for the room was not its fault.
                    begunAt = System.nanoTime();
                } else if (reserved != null) {
                    long now = System.nanoTime();
                    reserved.cover(bytes * COPIES);
                    begunAt += System.nanoTime() - now;
                }
            } catch (ApiException e) {
                told.increment();
                throw refused(e);
            }
        }

        /** The rest of the body is not read, so that no other request can follow it on its connection. */
        private ApiException refused(ApiException refusal) {
            over = true;
            RequestEnd.closeConnection(request);
            return refusal;
        }

        /** To close the body is to read it to its end, which nobody waits for once it was refused. */
        @Override
        public void close() throws IOException {
            if (!over) {
                super.close();
            }
        }
    }
}
