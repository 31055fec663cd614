package dev.oneshot.api.body;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.request.RequestCheck;
import dev.oneshot.contracts.setting.ValidSetting;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory of all request bodies together: received, decoded, and encoded as an event. Waits up to {@code body-wait} for
 * memory, then rejects with 503 or 429. While other accounts wait, bodies that arrive slowly get 408. Small bodies have memory of their own,
 * so that they do not wait for large ones; the smallest are not counted.
 */
@ApplicationScoped
public class BodyMemory {

    /** Bodies up to this size are not counted: every request has buffers this large. */
    private static final int FREE_BYTES = 4 * 1024;

    private static final int SMALL_BYTES_MAX = 64 * 1024;

    /** Text is the worst case: its bytes, and a string with two bytes for each. */
    private static final int COPIES = 3;

    private final RoutingContext request;
    private final RequestMemory memory;
    private final RequestMemory smallMemory;
    /** Bodies that would take longer than this to arrive are slow. Well below the time that others wait. */
    private final Duration longest;

    private final Duration receive;
    private final long bodyBytesMax;

    BodyMemory(RoutingContext request, BodyConfig config, MeterRegistry metrics) {
        Duration wait = config.bodyWait();
        ValidSetting.require(!wait.isNegative(), "oneshot.http.body-wait must not be negative");
        this.request = request;
        this.memory = RequestMemory.of(
                "oneshot.http.body-memory", config.bodyMemory(), wait, "oneshot.http.body.memory", metrics);
        this.smallMemory = RequestMemory.of(
                "oneshot.http.small-body-memory",
                config.smallBodyMemory(),
                wait,
                "oneshot.http.body.small.memory",
                metrics);
        this.longest = wait.dividedBy(2);
        this.receive = ValidSetting.atLeast("oneshot.http.body-receive", config.bodyReceive(), Duration.ofMillis(1));
        this.bodyBytesMax = config.bodyMax().asLongValue();
    }

    void filters(@Observes Filters filters) {
        RequestCheck.BODY_BOUND.register(filters, this::requireDeclared);
        RequestCheck.SMALL_BODY.register(filters, this::receiveUncounted);
    }

    /** Rejects a body above the plan's bound unread. Only bodies of POST are read. */
    private void requireDeclared(RoutingContext request) {
        if (request.request().method().equals(HttpMethod.POST)) {
            RequestBounds.requireBody(request, RequestBounds.declaredBytes(request.request()), bodyBytesMax);
        }
        request.next();
    }

    /**
     * Receives a body of up to 4 KiB before the request gets a thread, so that no thread waits for it. Only bodies that are read are
     * awaited: those of POST, which all need a key. If the connection is already closed, nothing would end the wait.
     */
    private void receiveUncounted(RoutingContext request) {
        HttpServerRequest http = request.request();
        long bytes = RequestBounds.declaredBytes(http);
        if (!http.method().equals(HttpMethod.POST)
                || bytes == 0
                || bytes > FREE_BYTES
                || http.headers().contains("Expect")
                || !((ConnectionBase) http.connection()).channel().isOpen()) {
            request.next();
            return;
        }
        Vertx vertx = request.vertx();
        long timer = vertx.setTimer(receive.toMillis(), _ -> request.fail(ApiException.requestTimeout()));
        var _ = http.body().onComplete(body -> {
            if (vertx.cancelTimer(timer) && body.succeeded()) {
                ((RoutingContextInternal) request).setBody(body.result());
                request.next();
            }
        });
        http.resume();
    }

    /**
     * The body of the present request. Reading it reserves memory until the request ends. Reading throws 422 beyond the plan's
     * bound, 413 beyond {@code body-max}, 429 or 503 if memory is not free in time or others need what the request holds, and 408
     * if the body arrives too slowly or others need its memory.
     *
     * @param contentLength null if unknown; then the body counts as small until it has more than 64 KiB
     */
    public InputStream reserving(InputStream body, @Nullable String contentLength) {
        long bytesMax = RequestBounds.bodyBytesMax(request, bodyBytesMax);
        long bytes = contentLength == null ? bytesMax : Math.min(bytesMax, Long.parseLong(contentLength));
        return new Reserving(body, bytes, contentLength == null || bytes <= SMALL_BYTES_MAX);
    }

    private final class Reserving extends FilterInputStream implements RequestMemory.Use {

        private final long bytesMax;
        private final boolean mayBeSmall;
        private long bytes;
        /** How long the body may be with the memory that is reserved. */
        private long bytesCovered = FREE_BYTES;

        private long begunAt = System.nanoTime();

        /** Guarded by this, as the four below. */
        private Pace pace;

        /** The thread that waits for the client or for memory. */
        private @Nullable Thread waiting;

        private long waitingSince;
        private boolean awaitsClient;
        private boolean isEnded;

        Reserving(InputStream in, long bytesMax, boolean mayBeSmall) {
            super(in);
            this.bytesMax = bytesMax;
            this.mayBeSmall = mayBeSmall;
            this.pace = new Pace(mayBeSmall ? Math.min(bytesMax, SMALL_BYTES_MAX) : bytesMax, longest);
        }

        @Override
        public int read() throws IOException {
            byte[] next = new byte[1];
            return read(next, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(next[0]);
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            beginWait(true);
            int read = 0;
            try {
                read = in.read(buffer, offset, length);
            } catch (InterruptedIOException e) {
                if (!isEnded()) {
                    throw e;
                }
            } finally {
                bytes += Math.max(0, read);
                endWait();
            }
            count();
            return read;
        }

        private synchronized void beginWait(boolean forClient) {
            if (isEnded) {
                throw ApiException.requestTimeout();
            }
            waiting = Thread.currentThread();
            waitingSince = System.nanoTime();
            awaitsClient = forClient;
        }

        private synchronized void endWait() {
            waiting = null;
            if (awaitsClient) {
                awaitsClient = false;
                pace.moved(System.nanoTime() - waitingSince, bytes);
            }
            if (isEnded) {
                // Clears an interrupt that came after the last byte, so that it interrupts nothing else.
                var _ = Thread.interrupted();
            }
        }

        private synchronized boolean isEnded() {
            return isEnded;
        }

        @Override
        public synchronized boolean isSlow(long patienceNanos) {
            return awaitsClient && pace.isSlow(System.nanoTime() - waitingSince, patienceNanos);
        }

        @Override
        public synchronized void endForOthers() {
            isEnded = true;
            if (waiting != null) {
                waiting.interrupt();
            }
        }

        private void count() {
            // A declared length is only a hint.
            RequestBounds.requireBody(request, bytes, bodyBytesMax);
            if (isEnded() || System.nanoTime() - begunAt > receive.toNanos()) {
                throw ApiException.requestTimeout();
            }
            if (bytes > bytesCovered) {
                long since = System.nanoTime();
                reserve();
                // The time to arrive does not include the wait for memory.
                begunAt += System.nanoTime() - since;
            }
        }

        private void reserve() {
            if (mayBeSmall && bytes <= SMALL_BYTES_MAX) {
                smallMemory.reserve(request, Math.min(bytesMax, SMALL_BYTES_MAX) * COPIES, this);
                bytesCovered = SMALL_BYTES_MAX;
            } else {
                reserveLarge();
                bytesCovered = bytesMax;
            }
        }

        /** The request may hold small memory. If others need that, the wait ends. */
        private void reserveLarge() {
            beginWait(false);
            try {
                memory.reserve(request, bytesMax * COPIES, this);
            } finally {
                endWait();
            }
            synchronized (this) {
                pace = new Pace(bytesMax, longest);
            }
        }
    }
}
