package dev.oneshot.ingest.memory;

import dev.oneshot.ingest.smtp.data.MemoryBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The memory of messages of all sessions. A small message takes from the common budget as it grows. A message that
 * outgrows {@link #SMALL}, or the common budget, needs a place: memory for all of it. Places are given in the order of
 * requests, and whoever has one never waits again, so one message can always be completed.
 *
 * <p>Messages that wait hold half of the common budget at most; the rest is for small messages. Safe for use by many
 * threads.
 */
public final class MessageMemory {

    /** The most octets that a message takes from the common budget. */
    public static final int SMALL = 1024 * 1024;

    private final Object lock = new Object();
    private final long max;
    private final long commonMax;
    private final long small;
    private final Duration waitMax;
    private final Set<Wait> waiting = new LinkedHashSet<>();
    // In use.
    private long common;
    private long places;

    private record Wait(Room room, long unread, CompletableFuture<Boolean> granted) {}

    /**
     * @param max the size of the memory in octets; half of it, and at least the largest message, is for places
     * @param largest the size of the largest message
     * @param waitMax how long a message waits; 0 for no wait
     */
    public MessageMemory(long max, long largest, Duration waitMax) {
        this(max, largest, SMALL, waitMax);
    }

    /** As above, with another bound than {@link #SMALL}. */
    public MessageMemory(long max, long largest, long small, Duration waitMax) {
        if (largest > max) {
            throw new IllegalArgumentException("the largest message does not fit");
        }
        this.max = max;
        this.commonMax = max - Math.max(largest, max / 2);
        this.small = small;
        this.waitMax = waitMax;
    }

    /** The memory of one session, which has one message at a time. */
    public Room room() {
        return new Room();
    }

    public long max() {
        return max;
    }

    /** How many octets are in use. */
    public long reserved() {
        synchronized (lock) {
            return common + places;
        }
    }

    /** How many messages wait. */
    public int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    /** The memory that one session holds. */
    public final class Room implements MemoryBudget {

        // Guarded by the lock.
        private long held;
        private long place;
        private long wanted;
        private long whole;
        private @Nullable Wait wait;

        @Override
        public boolean reserve(int octets, long most) {
            synchronized (lock) {
                wanted = held + octets;
                whole = Math.max(wanted, most);
                return take(waiting.isEmpty());
            }
        }

        @Override
        public void release() {
            change(() -> {
                places -= place;
                common -= heldInCommon();
                held = 0;
                place = 0;
            });
        }

        /**
         * Waits for the octets that {@link #reserve} has refused.
         *
         * @param unread octets already read from the socket, for which the message has no memory; they count while
         *     it waits
         * @return true if the octets are reserved, on any thread; false if the wait is over without them, or at once
         *     if there is no memory for what waits
         */
        public CompletionStage<Boolean> await(long unread) {
            Wait begun = new Wait(this, unread, new CompletableFuture<>());
            synchronized (lock) {
                long inCommon = heldInCommon() + unread;
                for (Wait other : waiting) {
                    inCommon += other.room.heldInCommon() + other.unread;
                }
                if (waitMax.isZero() || inCommon > commonMax / 2 || unread > commonMax - common) {
                    return CompletableFuture.completedFuture(false);
                }
                common += unread;
                waiting.add(begun);
                wait = begun;
            }
            change(() -> {});
            return begun.granted
                    .completeOnTimeout(false, waitMax.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((_, _) -> change(() -> end(begun)));
        }

        /** Ends the wait, if there is one. */
        public void leave() {
            Wait left = wait;
            if (left != null) {
                change(() -> end(left));
                left.granted.complete(false);
            }
        }

        private boolean take(boolean first) {
            boolean grows = place == 0 && wanted <= small && wanted - held <= commonMax - common;
            boolean moves = first && whole - place <= max - commonMax - places;
            if (wanted > place && grows) {
                common += wanted - held;
            } else if (wanted > place && moves) {
                common -= heldInCommon();
                places += whole - place;
                place = whole;
            } else if (wanted > place) {
                return false;
            }
            held = wanted;
            return true;
        }

        private long heldInCommon() {
            return place == 0 ? held : 0;
        }
    }

    private void end(Wait wait) {
        if (waiting.remove(wait)) {
            common -= wait.unread;
        }
    }

    /** Makes a change, then gives free memory to those that wait, and notifies them outside the lock. */
    private void change(Runnable change) {
        List<Wait> served = new ArrayList<>();
        synchronized (lock) {
            change.run();
            int before;
            do {
                before = served.size();
                boolean first = true;
                for (Wait wait : List.copyOf(waiting)) {
                    if (wait.room.take(first)) {
                        end(wait);
                        served.add(wait);
                    } else {
                        first = false;
                    }
                }
            } while (served.size() > before);
        }
        // If a wait has ended meanwhile, its message is refused, and releases what it was given.
        served.forEach(wait -> wait.granted.complete(true));
    }
}
