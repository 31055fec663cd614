package dev.oneshot.api.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.contracts.setting.ValidSetting;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A fair semaphore of bytes that requests hold until they end. A request first waits for the share of its account, which is half of
 * all bytes, so that no account shuts out others.
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
    /** The bytes that each account may still take. An entry lasts for as long as a request holds or awaits some of them. */
    private final Cache<UUID, Semaphore> shares =
            Caffeine.newBuilder().weakValues().build();

    /**
     * All bytes are free.
     *
     * @param wait how long a request waits for memory; also the value of Retry-After
     */
    RequestMemory(int bytesMax, Duration wait) {
        this.bytesMax = bytesMax;
        this.shareBytes = Math.ceilDiv(bytesMax, 2);
        this.wait = wait;
        this.all = new Semaphore(bytesMax, true);
    }

    /**
     * All bytes are free.
     *
     * @param setting names the size in errors
     * @param metric the name of the gauge of what is reserved
     * @throws IllegalArgumentException if the size is not from 1M to 2047M
     */
    public static RequestMemory of(
            String setting, MemorySize size, Duration wait, String metric, MeterRegistry metrics) {
        long bytes = ValidSetting.between(setting, size.asLongValue(), BYTES_MIN, (long) Integer.MAX_VALUE);
        RequestMemory memory = new RequestMemory((int) bytes, wait);
        Gauge.builder(metric, memory, RequestMemory::reservedBytes)
                .description("Bytes that requests have reserved of " + setting)
                .baseUnit("bytes")
                .register(metrics);
        return memory;
    }

    /** Sets the account whose share a request takes. To be called after authentication. */
    public static void setOwner(RoutingContext request, UUID accountId) {
        request.put(OWNER, accountId);
    }

    /**
     * Raises what a request holds until it ends. Blocks until there is enough.
     *
     * @param heldBytes what it holds already
     * @param bytes what it holds then, at most the whole memory
     * @throws ApiException 429 if the account held its share for all of the wait, 503 if there was not enough memory
     */
    public void reserve(RoutingContext request, long heldBytes, long bytes) {
        UUID account = Objects.requireNonNull(request.get(OWNER), "the request has no owner");
        long deadline = System.nanoTime() + wait.toNanos();
        Semaphore share = shares.get(account, unknown -> new Semaphore(shareBytes, true));
        int ofShare = (int) (Math.min(bytes, shareBytes) - Math.min(heldBytes, shareBytes));
        // A fair semaphore would queue also for nothing.
        if (ofShare > 0) {
            take(request, share, ofShare, deadline, ApiException.of(Kind.RATE_LIMITED, SHARE_TAKEN, wait));
        }
        int ofAll = (int) (Math.min(bytes, bytesMax) - Math.min(heldBytes, bytesMax));
        take(request, all, ofAll, deadline, ApiException.of(Kind.UNAVAILABLE, ALL_TAKEN, wait));
    }

    /** The share of an account. */
    int shareBytes() {
        return shareBytes;
    }

    /** How much is reserved. */
    long reservedBytes() {
        return (long) bytesMax - all.availablePermits();
    }

    private static void take(
            RoutingContext request, Semaphore semaphore, int permits, long deadline, ApiException refusal) {
        FutureTask<Boolean> taking = new FutureTask<>(() -> {
            boolean isTaken = semaphore.tryAcquire(permits, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (isTaken) {
                RequestEnd.then(request, () -> semaphore.release(permits));
            }
            return isTaken;
        });
        // When its client disconnects it stops waiting, or others would wait behind it.
        RequestEnd.then(request, () -> taking.cancel(true));
        taking.run();
        if (taking.state() != Future.State.SUCCESS || !taking.resultNow()) {
            throw refusal;
        }
    }
}
