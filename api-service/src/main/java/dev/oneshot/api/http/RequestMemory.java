package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory for what large requests need at once, from their first need to their end. Those that find it taken wait in
 * the order they came, until their time has passed or their client is gone. An account that holds some never gets
 * beyond half of it, so that others are not shut out by one that does not finish what it began; whoever waits only for
 * requests of the same account is overtaken by those of others.
 *
 * <p>A request that may come to need more than half begins with half and asks for the rest when it does. Only one at a time
 * may, so that it never waits for another one that does: those it waits for have all they need.
 */
public final class RequestMemory {

    private static final String SHARE_TAKEN =
            "the account's other large requests at work take up its share of memory: send fewer of them at once";
    private static final String ALL_TAKEN = "too many large requests are at work";

    private final long bytesMax;
    private final long shareBytes;
    private final Duration wait;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Waiter> waiting = new ArrayDeque<>();
    private final Map<UUID, Long> held = new HashMap<>();
    private long free;
    private boolean isOneToGrow;

    /**
     * All of it is free.
     *
     * @param wait how long a request waits for room; also what Retry-After says
     */
    public RequestMemory(long bytesMax, Duration wait) {
        this.bytesMax = bytesMax;
        this.shareBytes = bytesMax / 2;
        this.wait = wait;
        this.free = bytesMax;
    }

    /**
     * Reserves for a request until it is answered or its client is gone. Blocks while there is no room.
     *
     * @param bytes how much; what is more than there is at all is given alone
     * @throws ApiException 429 if in all that time it was the account itself that held too much, 503 if it was all taken
     */
    public void reserve(RoutingContext request, long bytes) {
        UUID account = RequestOwner.of(request);
        long wanted = Math.min(bytes, bytesMax);
        acquireFor(request, waiter(account, wanted, Part.ALL));
        RequestEnd.then(request, () -> release(account, wanted));
    }

    /**
     * Begins to reserve for a request that will need more and more, until it is answered or its client is gone. Blocks while
     * there is no room.
     *
     * @param bytesMax the most it may come to need; if that is not more than half, all of it is reserved now
     * @throws ApiException as {@link #reserve}
     */
    Reservation begin(RoutingContext request, long bytesMax) {
        UUID account = RequestOwner.of(request);
        long most = Math.min(bytesMax, this.bytesMax);
        if (most <= shareBytes) {
            reserve(request, most);
            return new Reservation(request, most, most);
        }
        acquireFor(request, waiter(account, shareBytes, Part.FIRST_HALF));
        RequestEnd.then(request, () -> releaseGrowing(account, shareBytes));
        return new Reservation(request, shareBytes, most);
    }

    /** What a request has of what it may come to need. Of one thread. */
    final class Reservation {

        private final RoutingContext request;
        private final long most;
        private long bytes;

        private Reservation(RoutingContext request, long bytes, long most) {
            this.request = request;
            this.bytes = bytes;
            this.most = most;
        }

        /**
         * Reserves all that it may come to need, unless this much is covered. Blocks while there is no room.
         *
         * @throws ApiException 503 if there was none in time
         */
        void cover(long needed) {
            if (needed > bytes && bytes < most) {
                UUID account = RequestOwner.of(request);
                long rest = most - bytes;
                acquireFor(request, waiter(account, rest, Part.REST));
                bytes = most;
                RequestEnd.then(request, () -> release(account, rest));
            }
        }
    }

    /** One whose client goes while it waits is refused at once, which nobody hears of, and holds nobody up. */
    private void acquireFor(RoutingContext request, Waiter waiter) {
        RequestEnd.then(request, () -> giveUp(waiter));
        switch (acquire(waiter)) {
            case GRANTED -> {}
            case SHARE_TAKEN -> throw new ApiException(ApiError.rateLimited(SHARE_TAKEN, wait));
            case ALL_TAKEN -> throw new ApiException(ApiError.unavailable(ALL_TAKEN, wait));
        }
    }

    /** How much is given away. */
    public long reservedBytes() {
        lock.lock();
        try {
            return bytesMax - free;
        } finally {
            lock.unlock();
        }
    }

    /** How many requests wait for some. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** What becomes of a wish. */
    enum Outcome {
        GRANTED,
        SHARE_TAKEN,
        ALL_TAKEN
    }

    /** What of its need somebody waits for. */
    private enum Part {
        ALL,
        FIRST_HALF,
        REST
    }

    private static final class Waiter {
        private final UUID account;
        private final long bytes;
        private final Part part;
        private final Condition granted;
        private boolean isGranted;
        private boolean isGone;

        Waiter(UUID account, long bytes, Part part, Condition granted) {
            this.account = account;
            this.bytes = bytes;
            this.part = part;
            this.granted = granted;
        }
    }

    private Waiter waiter(UUID account, long bytes, Part part) {
        return new Waiter(account, bytes, part, lock.newCondition());
    }

    Outcome acquire(UUID account, long bytes) {
        return acquire(waiter(account, bytes, Part.ALL));
    }

    /** Half of all, with the right to grow. */
    Outcome acquireHalf(UUID account) {
        return acquire(waiter(account, shareBytes, Part.FIRST_HALF));
    }

    /** The rest of its need, for one that has the right to grow. Nobody is served before it, as it holds what others need. */
    Outcome acquireRest(UUID account, long bytes) {
        return acquire(waiter(account, bytes, Part.REST));
    }

    private Outcome acquire(Waiter waiter) {
        lock.lock();
        try {
            if (waiter.part == Part.REST) {
                waiting.addFirst(waiter);
            } else {
                waiting.add(waiter);
            }
            grant();
            await(waiter);
            if (waiter.isGranted) {
                return Outcome.GRANTED;
            }
            Outcome refused = isBeyondShare(waiter) ? Outcome.SHARE_TAKEN : Outcome.ALL_TAKEN;
            waiting.remove(waiter);
            // Those behind it may fit.
            grant();
            return refused;
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(Waiter waiter) {
        lock.lock();
        try {
            waiter.isGone = true;
            waiter.granted.signal();
        } finally {
            lock.unlock();
        }
    }

    void release(UUID account, long bytes) {
        lock.lock();
        try {
            giveBack(account, bytes);
            grant();
        } finally {
            lock.unlock();
        }
    }

    /** What one with the right to grow has, along with the right. */
    void releaseGrowing(UUID account, long bytes) {
        lock.lock();
        try {
            isOneToGrow = false;
            giveBack(account, bytes);
            grant();
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(UUID account, long bytes) {
        free += bytes;
        held.computeIfPresent(account, (id, all) -> all == bytes ? null : all - bytes);
    }

    private void await(Waiter waiter) {
        long nanos = wait.toNanos();
        try {
            while (!waiter.isGranted && !waiter.isGone && nanos > 0) {
                nanos = waiter.granted.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first one that does not fit holds up those behind it, or large ones would wait for ever. */
    private void grant() {
        for (Iterator<Waiter> queue = waiting.iterator(); queue.hasNext(); ) {
            Waiter next = queue.next();
            if (isBeyondShare(next) || (next.part == Part.FIRST_HALF && isOneToGrow)) {
                continue;
            }
            if (next.bytes > free) {
                return;
            }
            queue.remove();
            free -= next.bytes;
            held.merge(next.account, next.bytes, Long::sum);
            isOneToGrow |= next.part == Part.FIRST_HALF;
            next.isGranted = true;
            next.granted.signal();
        }
    }

    private boolean isBeyondShare(Waiter waiter) {
        Long already = held.get(waiter.account);
        return waiter.part != Part.REST && already != null && already + waiter.bytes > shareBytes;
    }
}
