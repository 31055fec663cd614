package dev.oneshot.api.body;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.api.request.RequestState;
import dev.oneshot.contracts.setting.ValidSetting;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.vertx.core.http.HttpClosedException;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that requests hold until they end. While requests of several accounts wait, no account gets more than its share, an eighth,
 * except for one request that needs more; the account that holds least is next, and then the request that came first.
 *
 * <p>While other accounts wait, requests of slow clients are ended, and their accounts come last for a minute. The more memory the
 * others need, the shorter clients may pause. After a second, requests with which an account exceeds its share are ended too.
 */
public final class RequestMemory {

    private static final String SHARE_TAKEN =
            "the account's other large requests take up its share of memory: send fewer of them at once";
    private static final String ALL_TAKEN = "too many large requests are in progress";
    private static final long BYTES_MIN = 1024 * 1024;
    private static final int SHARES = 8;

    /** How often slow requests are looked for while others wait. */
    private static final long CHECK_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * Others wait this long before an account loses what it holds above its share. Most requests end sooner. It is also how long a
     * client may pause while others wait.
     */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(1).toNanos();

    /** Clients that are not slow pause for less than this, even on a busy machine. */
    private static final long PATIENCE_MIN_NANOS = Duration.ofMillis(250).toNanos();

    /** How long an account comes last after one of its slow requests was ended. */
    private static final long LAST_NANOS = Duration.ofMinutes(1).toNanos();

    private final long bytesMax;
    private final long shareBytes;
    private final Duration wait;

    /** Guards everything below. */
    private final Lock lock = new ReentrantLock();

    private final Map<UUID, Long> heldBytes = new HashMap<>();
    /** In the order of their arrival. */
    private final SequencedSet<Place> waiting = new LinkedHashSet<>();

    /** The oldest first. */
    private final SequencedSet<Place> held = new LinkedHashSet<>();

    /** The accounts that come last, with the time at which their last slow request was ended. */
    private final Map<UUID, Long> slow = new HashMap<>();

    private long freeBytes;
    /** What ended requests will release. */
    private long endedBytes;

    private long checkedAtNanos = System.nanoTime() - CHECK_NANOS;

    /** What a request does with its memory. */
    public interface Use {

        /**
         * Whether the request lasts because its client is slow. Called by other requests.
         *
         * @param patienceNanos how long the client may pause, at most a second
         */
        boolean isSlow(long patienceNanos);

        /**
         * Ends the request because others wait: at once if it waits for its client or for memory, otherwise when it next would.
         * It completes if it never waits again. Must not block.
         */
        void endForOthers();

        /**
         * Runs an action when the memory is no longer needed: at the end of the request, unless it says otherwise. On any thread; the
         * action must neither block nor fail.
         */
        default void whenDone(RequestState request, Runnable action) {
            request.atEnd(action);
        }
    }

    /** The place of a request, first among those that wait. */
    private static final class Place {

        private final UUID account;
        private final long bytes;
        private final Use use;
        private final Condition change;
        private final long sinceNanos = System.nanoTime();
        private boolean isOver;

        Place(UUID account, long bytes, Use use, Condition change) {
            this.account = account;
            this.bytes = bytes;
            this.use = use;
            this.change = change;
        }
    }

    /**
     * All bytes are free.
     *
     * @param wait how long a request waits for memory; also the value of Retry-After
     */
    RequestMemory(long bytesMax, Duration wait) {
        this.bytesMax = bytesMax;
        this.shareBytes = Math.ceilDiv(bytesMax, SHARES);
        this.wait = wait;
        this.freeBytes = bytesMax;
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
        RequestMemory memory = new RequestMemory(bytes, wait);
        Gauge.builder(metric, memory, RequestMemory::reservedBytes)
                .description("Bytes that requests have reserved of " + setting)
                .baseUnit("bytes")
                .register(metrics);
        return memory;
    }

    /**
     * Reserves memory for a request until its use of it is done. Blocks until there is enough. A request must not reserve twice: two that hold
     * half of what they need would wait for each other.
     *
     * @param bytes all of the memory if it is less
     * @throws ApiException 429 if the account held its share until the wait ended, 503 if there was not enough memory
     * @throws HttpClosedException if the client disconnects before
     */
    public void reserve(RoutingContext request, long bytes, Use use) {
        RequestState state = RequestState.of(request);
        UUID account = state.caller().orElseThrow().accountId();
        Place place = new Place(account, Math.min(bytes, bytesMax), use, lock.newCondition());
        lock.lock();
        try {
            waiting.add(place);
            grant();
        } finally {
            lock.unlock();
        }
        // A request gives up its place when its client disconnects, so that others do not wait for it.
        use.whenDone(state, () -> leave(place));
        await(place);
    }

    private void await(Place place) {
        long deadline = place.sinceNanos + wait.toNanos();
        List<Use> ended = List.of();
        do {
            ended.forEach(Use::endForOthers);
            lock.lock();
            try {
                if (held.contains(place)) {
                    return;
                }
                if (place.isOver) {
                    throw new HttpClosedException("the client has disconnected");
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw refusal(place);
                }
                ended = endOthers();
                if (ended.isEmpty()) {
                    var _ = place.change.awaitNanos(Math.min(left, CHECK_NANOS));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw refusal(place);
            } finally {
                lock.unlock();
            }
        } while (true);
    }

    /** Gives up a place that has no memory. */
    private ApiException refusal(Place place) {
        boolean isOfShare = !isWithinShare(place);
        leave(place);
        return isOfShare
                ? ApiException.of(Kind.RATE_LIMITED, SHARE_TAKEN, wait)
                : ApiException.of(Kind.UNAVAILABLE, ALL_TAKEN, wait);
    }

    private void leave(Place place) {
        lock.lock();
        try {
            waiting.remove(place);
            if (held.remove(place)) {
                freeBytes += place.bytes;
                if (place.isOver) {
                    endedBytes -= place.bytes;
                } else {
                    forgetHeld(place);
                }
            }
            place.isOver = true;
            place.change.signal();
            grant();
        } finally {
            lock.unlock();
        }
    }

    private void grant() {
        Place next = next();
        // A smaller request must not overtake a larger one, which could then wait for ever.
        while (next != null && next.bytes <= freeBytes) {
            waiting.remove(next);
            held.add(next);
            freeBytes -= next.bytes;
            heldBytes.merge(next.account, next.bytes, Long::sum);
            next.change.signal();
            next = next();
        }
    }

    private @Nullable Place next() {
        boolean isOneAccount = isOneAccount();
        Place next = null;
        for (Place place : waiting) {
            if ((isOneAccount || isWithinShare(place)) && (next == null || isBefore(place.account, next.account))) {
                next = place;
            }
        }
        return next;
    }

    private boolean isBefore(UUID account, UUID other) {
        boolean isSlow = slow.containsKey(account);
        return isSlow == slow.containsKey(other) ? held(account) < held(other) : !isSlow;
    }

    /** Whether all that wait are of one account. */
    private boolean isOneAccount() {
        return waiting.stream().allMatch(place -> place.account.equals(waiting.getFirst().account));
    }

    /** A request that needs more than the share is within it if it is the account's only one. */
    private boolean isWithinShare(Place place) {
        return isWithinShare(held(place.account), place);
    }

    private boolean isWithinShare(long present, Place place) {
        return present == 0 || present + place.bytes <= shareBytes;
    }

    private long held(UUID account) {
        return heldBytes.getOrDefault(account, 0L);
    }

    /** Chooses requests to end in favour of those that wait, at most ten times a second. */
    private List<Use> endOthers() {
        long now = System.nanoTime();
        Place next = now - checkedAtNanos < CHECK_NANOS ? null : next();
        if (next == null) {
            return List.of();
        }
        checkedAtNanos = now;
        slow.values().removeIf(since -> now - since > LAST_NANOS);
        Wanted wanted = wanted(next);
        List<Place> ended = new ArrayList<>();
        for (Place place : held) {
            if (wanted.needs(place) && place.use.isSlow(wanted.patienceNanos())) {
                end(place, ended);
                slow.put(place.account, now);
            }
        }
        if (now - next.sinceNanos > PATIENCE_NANOS) {
            // The newest have cost their clients least.
            for (Place place : held.reversed()) {
                boolean isAbove = held(place.account) > shareBytes && held(place.account) > place.bytes;
                if (wanted.needs(place) && isAbove) {
                    end(place, ended);
                }
            }
        }
        return ended.stream().map(place -> place.use).toList();
    }

    /** What waiting requests need: the next one, and those within their accounts' shares. */
    private Wanted wanted(Place next) {
        Map<UUID, Long> wanted = new HashMap<>();
        for (Place place : waiting) {
            long present = wanted.getOrDefault(place.account, 0L);
            if (place == next || isWithinShare(held(place.account) + present, place)) {
                wanted.put(place.account, present + place.bytes);
            }
        }
        return new Wanted(wanted);
    }

    /** The bytes for which each account waits. */
    private final class Wanted {

        private final Map<UUID, Long> bytes;
        private final long allBytes;

        Wanted(Map<UUID, Long> bytes) {
            this.bytes = bytes;
            this.allBytes = bytes.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Whether other accounts need what this request holds. */
        boolean needs(Place place) {
            return !place.isOver && allBytes - bytes.getOrDefault(place.account, 0L) > freeBytes + endedBytes;
        }

        /** If others wait for n times the memory, clients may pause for 1/n of the time: the wait must not grow with their number. */
        long patienceNanos() {
            return Math.max(PATIENCE_MIN_NANOS, PATIENCE_NANOS / Math.ceilDiv(allBytes, bytesMax));
        }
    }

    private void end(Place place, List<Place> ended) {
        place.isOver = true;
        endedBytes += place.bytes;
        forgetHeld(place);
        ended.add(place);
    }

    private void forgetHeld(Place place) {
        heldBytes.computeIfPresent(place.account, (_, bytes) -> bytes == place.bytes ? null : bytes - place.bytes);
    }

    /** How much is reserved. */
    long reservedBytes() {
        lock.lock();
        try {
            return bytesMax - freeBytes;
        } finally {
            lock.unlock();
        }
    }
}
