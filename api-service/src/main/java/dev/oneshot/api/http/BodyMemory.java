package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.setting.ValidSetting;
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
 * Limits the memory of all request bodies together: received, decoded, and encoded as an event. Waits up to {@code body-wait} for
 * memory, then rejects with 503 or 429. Small bodies have memory of their own, so that they do not wait for large ones; the
 * smallest are not counted.
 */
@ApplicationScoped
public class BodyMemory {

    /** Not counted: every request has buffers of this size anyway. */
    private static final int FREE_BYTES = 4 * 1024;

    private static final int SMALL_BYTES_MAX = 64 * 1024;

    /** The worst case is text: characters of two bytes each, and the bytes. */
    private static final int COPIES = 3;

    private final RoutingContext request;
    private final RequestMemory memory;
    private final RequestMemory smallMemory;
    private final Duration receive;
    private final long bodyBytesMax;
    private final Counter refused;

    BodyMemory(RoutingContext request, HttpConfig config, MeterRegistry registry) {
        ValidSetting.require(!config.bodyWait().isNegative(), "oneshot.http.body-wait must not be negative");
        ValidSetting.require(config.bodyReceive().isPositive(), "oneshot.http.body-receive must be positive");
        this.request = request;
        this.memory = RequestMemory.of("oneshot.http.body-memory", config.bodyMemory(), config.bodyWait());
        this.smallMemory =
                RequestMemory.of("oneshot.http.small-body-memory", config.smallBodyMemory(), config.bodyWait());
        this.receive = config.bodyReceive();
        this.bodyBytesMax = config.bodyMax().asLongValue();
        this.refused = Counter.builder("oneshot.http.body.refused")
                .description("Requests rejected with 429 or 503 as there was no memory for their bodies")
                .register(registry);
        Gauge.builder("oneshot.http.body.memory", memory, RequestMemory::reservedBytes)
                .description("Memory that large requests have reserved")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("oneshot.http.body.small.memory", smallMemory, RequestMemory::reservedBytes)
                .description("Memory that small requests have reserved")
                .baseUnit("bytes")
                .register(registry);
    }

    /**
     * The body of the present request. Reading it reserves memory until the request ends; a body that needs more than half of all
     * memory reserves the rest as it arrives. Reading throws 413 beyond {@code body-max}, 429 or 503 without memory in time, and 408
     * if the body arrives too slowly.
     *
     * @param contentLength null if unknown; then the body counts as small until it is not
     */
    public InputStream reserving(InputStream body, @Nullable String contentLength) {
        long bytesMax = contentLength == null ? bodyBytesMax : Math.min(bodyBytesMax, Long.parseLong(contentLength));
        return new Reserving(body, bytesMax, contentLength != null);
    }

    private final class Reserving extends FilterInputStream {

        private final long bytesMax;
        private long bytes;
        private long reserved;
        private boolean isSmall;
        private boolean isSmallReserved;
        private long begunAt = System.nanoTime();
        private boolean isRejected;

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

        private void count(long read) {
            bytes += Math.max(0, read);
            // A declared length is only a hint.
            if (bytes > bodyBytesMax) {
                throw new ApiException(ApiError.payloadTooLarge(bodyBytesMax));
            }
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
            long waitingSince = System.nanoTime();
            try {
                if (isSmall) {
                    if (!isSmallReserved) {
                        smallMemory.reserve(request, Math.min(bytesMax, SMALL_BYTES_MAX) * COPIES);
                        isSmallReserved = true;
                    }
                } else if (reserved < bytesMax * COPIES && reserved < bytes * COPIES) {
                    reserveLarge(bytesMax * COPIES);
                }
            } catch (ApiException e) {
                refused.increment();
                throw refused(e);
            }
            // The time to arrive does not include the wait for memory.
            begunAt += System.nanoTime() - waitingSince;
        }

        private void reserveLarge(long most) {
            if (most <= memory.shareBytes()) {
                memory.reserve(request, most);
                reserved = most;
            } else if (reserved == 0) {
                memory.reserveHalf(request);
                reserved = memory.shareBytes();
            } else {
                memory.grow(request, most - reserved);
                reserved = most;
            }
        }

        /** The rest of the body is not read, so that no other request can follow it on its connection. */
        private ApiException refused(ApiException refusal) {
            isRejected = true;
            RequestEnd.closeConnection(request);
            return refusal;
        }

        /** Closing reads the body to its end, which a rejected request need not. */
        @Override
        public void close() throws IOException {
            if (!isRejected) {
                super.close();
            }
        }
    }
}
