package dev.oneshot.api.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.runtime.configuration.MemorySize;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A fair semaphore of bytes for large requests. An account first queues for its own share, which is half of all bytes, so it
 * cannot shut out others.
 */
public final class RequestMemory {

    private static final String SHARE_TAKEN =
            "the account's other large requests take up its share of memory: send fewer of them at once";
    private static final String ALL_TAKEN = "too many large requests are in progress";
    private static final long BYTES_MIN = 1024 * 1024;
    private static final String OWNER = RequestMemory.class.getName();

    private final int bytesMax;
    private final int shareBytes;
    private final Duration wait;
    private final Semaphore all;
    /** The bytes that each account may still take. The requests that hold or await some of it reference it. */
    private final Cache<UUID, Semaphore> shares =
            Caffeine.newBuilder().weakValues().build();

    /** Two growing requests would wait for each other. */
    private final Semaphore growing = new Semaphore(1, true);

    /**
     * All bytes are free.
     *
     * @param wait how long a request waits for memory; also the value of Retry-After
     */
    RequestMemory(long bytesMax, Duration wait) {
        this.bytesMax = Math.toIntExact(bytesMax);
        this.shareBytes = this.bytesMax / 2;
        this.wait = wait;
        this.all = new Semaphore(this.bytesMax, true);
    }

    /**
     * All bytes are free.
     *
     * @param setting names the size in errors
     * @throws IllegalArgumentException if the size is not from 1M to 2047M
     */
    public static RequestMemory of(String setting, MemorySize size, Duration wait) {
        long bytes = size.asLongValue();
        ValidSetting.between(setting, bytes, BYTES_MIN, (long) Integer.MAX_VALUE);
        return new RequestMemory(bytes, wait);
    }

    /** Sets the account whose share a request takes. To be called after authentication. */
    public static void setOwner(RoutingContext request, UUID accountId) {
        request.put(OWNER, accountId);
    }

    /**
     * Reserves memory until the request ends. Blocks until there is enough.
     *
     * @param bytes more than there is counts as all; more than half must not be reserved where others {@link #grow}
     * @throws ApiException 429 if the account held its share for all that time, 503 if there was not enough memory
     */
    public void reserve(RoutingContext request, long bytes) {
        int wanted = (int) Math.min(bytes, bytesMax);
        Reserving reserving = new Reserving(request);
        reserving.takeShare(Math.min(wanted, shareBytes));
        reserving.take(all, wanted);
    }

    /**
     * Reserves half for a request that may {@link #grow}, until the request ends. Blocks until there is enough, and until no other
     * request may grow.
     *
     * @throws ApiException as {@link #reserve}
     */
    void reserveHalf(RoutingContext request) {
        Reserving reserving = new Reserving(request);
        reserving.takeShare(shareBytes);
        reserving.take(growing, 1);
        reserving.take(all, shareBytes);
    }

    /**
     * Reserves the rest for a request that has half, until the request ends. Blocks until there is enough.
     *
     * @throws ApiException 503 if there was not enough memory in time
     */
    void grow(RoutingContext request, long bytes) {
        new Reserving(request).take(all, (int) Math.min(bytes, bytesMax - shareBytes));
    }

    /** The most that {@link #reserve} may be asked for while other requests grow. */
    long shareBytes() {
        return shareBytes;
    }

    /** How much is reserved. */
    public long reservedBytes() {
        return (long) bytesMax - all.availablePermits();
    }

    /** How many requests wait. */
    int waiting() {
        return all.getQueueLength()
                + growing.getQueueLength()
                + shares.asMap().values().stream()
                        .mapToInt(Semaphore::getQueueLength)
                        .sum();
    }

    /** A request that takes permits until it ends. It stops waiting when its client disconnects. */
    private final class Reserving {

        private final RoutingContext request;
        private final long deadline = System.nanoTime() + wait.toNanos();
        private @Nullable Thread waiting;
        private boolean isEnded;

        Reserving(RoutingContext request) {
            this.request = request;
            RequestEnd.then(request, this::end);
        }

        void takeShare(int bytes) {
            UUID account = request.get(OWNER);
            if (account == null) {
                throw new IllegalStateException("the request has no owner");
            }
            Semaphore free = shares.get(account, unknown -> new Semaphore(shareBytes, true));
            take(free, bytes, ApiError.rateLimited(SHARE_TAKEN, wait));
        }

        void take(Semaphore semaphore, int permits) {
            take(semaphore, permits, ApiError.unavailable(ALL_TAKEN, wait));
        }

        private void take(Semaphore semaphore, int permits, ApiError refusal) {
            if (!isTaken(semaphore, permits)) {
                throw new ApiException(refusal);
            }
            RequestEnd.then(request, () -> semaphore.release(permits));
        }

        private boolean isTaken(Semaphore semaphore, int permits) {
            if (!begin()) {
                return false;
            }
            try {
                return semaphore.tryAcquire(permits, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                finish();
            }
        }

        private synchronized boolean begin() {
            waiting = Thread.currentThread();
            return !isEnded;
        }

        private synchronized void finish() {
            waiting = null;
        }

        private synchronized void end() {
            isEnded = true;
            if (waiting != null) {
                waiting.interrupt();
            }
        }
    }
}
