package dev.oneshot.ingest.memory;

import dev.oneshot.ingest.smtp.data.MemoryBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The memory of messages of all sessions, and the queue of messages that wait for more. It has three shares, so that
 * at least one message can always be completed.
 *
 * <p>The head's share holds one message of the largest size. The oldest message gets it when no other memory is free,
 * and keeps it to its end.
 *
 * <p>The common share goes to messages in the order in which they began, so that some complete soon instead of all
 * being incomplete.
 *
 * <p>The spare is for small messages, which need not wait behind large ones, and for octets that a waiting message
 * has already read from its socket; those of large messages take half of it at most.
 *
 * <p>Safe for use by many threads.
 */
public final class MessageMemory {

    /** The largest size of a small message. */
    public static final int SMALL = 64 * 1024;

    private final Object lock = new Object();
    private final long max;
    private final Duration waitMax;
    private final Share head;
    private final Share common;
    private final Share spare;
    private final TreeSet<Room> waiting = new TreeSet<>(Comparator.comparingLong(room -> room.since));
    private long messages;
    private long unreadInSpare;

    /** A part of the memory. */
    private static final class Share {
        private final long max;
        private long used;

        Share(long max) {
            this.max = max;
        }

        boolean has(long octets) {
            return octets >= 0 && octets <= max - used;
        }
    }

    /**
     * @param max the size of the memory in octets
     * @param largest the size of the largest message; with less memory, a single message may have to wait
     * @param waitMax how long a session waits for the next octets; 0 for no wait
     */
    public MessageMemory(long max, long largest, Duration waitMax) {
        this.max = max;
        this.waitMax = waitMax;
        this.head = new Share(Math.min(max, largest));
        this.spare = new Share((max - head.max) / 2);
        this.common = new Share(max - head.max - spare.max);
    }

    /** The memory of one session, which has one message at a time. */
    public Room room() {
        return new Room();
    }

    public long max() {
        return max;
    }

    public Duration waitMax() {
        return waitMax;
    }

    /** How many octets are in use. */
    public long reserved() {
        synchronized (lock) {
            return head.used + common.used + spare.used;
        }
    }

    /** How many sessions wait. */
    public int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    /** The memory that one session holds. */
    public final class Room implements MemoryBudget {

        // Guarded by the lock.
        private long since;
        private long held;
        private @Nullable Share share;
        private @Nullable Demand demand;

        @Override
        public boolean reserve(long octets) {
            boolean placed;
            boolean moved;
            synchronized (lock) {
                beginIfNew();
                Share before = share;
                placed = place(this, octets, waiting.isEmpty() || since <= waiting.first().since);
                moved = hasLeft(before);
            }
            if (moved) {
                settle(() -> {});
            }
            return placed;
        }

        @Override
        public void release(long octets) {
            settle(() -> {
                if (share != null) {
                    share.used -= octets;
                    held -= octets;
                    share = held == 0 ? null : share;
                }
            });
        }

        /**
         * Waits for octets; {@link #stopWaiting} comes next.
         *
         * @param unread octets already read from the socket, for which the message has no memory; they count until
         *     the wait ends
         * @param taken called when the octets are taken, perhaps at once, on any thread
         * @return false if there is no memory for the unread octets; then nothing waits
         */
        public boolean await(long octets, long unread, Runnable taken) {
            synchronized (lock) {
                boolean small = held + octets <= SMALL;
                boolean fits = spare.has(unread) && (small || unreadInSpare + unread <= spare.max / 2);
                Share unreadShare = fits ? spare : common;
                if (!unreadShare.has(unread)) {
                    return false;
                }
                beginIfNew();
                unreadShare.used += unread;
                unreadInSpare += unreadShare == spare ? unread : 0;
                demand = new Demand(octets, unread, unreadShare, taken);
                waiting.add(this);
            }
            settle(() -> {});
            return true;
        }

        /** Ends the wait; true if the octets have been taken. */
        public boolean stopWaiting() {
            boolean[] taken = {false};
            settle(() -> {
                if (demand != null) {
                    taken[0] = !waiting.remove(this);
                    demand.unreadShare.used -= demand.unread;
                    unreadInSpare -= demand.unreadShare == spare ? demand.unread : 0;
                    demand = null;
                }
            });
            return taken[0];
        }

        /** Whether others wait while this holds more than a small message and does not wait itself. */
        public boolean blocksOthers() {
            synchronized (lock) {
                return held > SMALL && demand == null && !waiting.isEmpty();
            }
        }

        private boolean hasLeft(@Nullable Share before) {
            return before != null && before != share;
        }

        private void beginIfNew() {
            if (held == 0) {
                since = ++messages;
            }
        }
    }

    private record Demand(long octets, long unread, Share unreadShare, Runnable taken) {}

    /** Makes a change, gives free memory to those that wait, and notifies them outside the lock. */
    private void settle(Runnable change) {
        List<Runnable> told = new ArrayList<>();
        synchronized (lock) {
            change.run();
            boolean again = true;
            while (again) {
                again = serve(told);
            }
        }
        told.forEach(Runnable::run);
    }

    /** One round. True if moving a message has freed memory, which earlier messages may want. */
    private boolean serve(List<Runnable> told) {
        boolean moved = false;
        boolean first = true;
        for (Room room : List.copyOf(waiting)) {
            Demand demand = room.demand;
            Share before = room.share;
            if (demand != null && place(room, demand.octets, first)) {
                waiting.remove(room);
                told.add(demand.taken);
                moved |= room.hasLeft(before);
            } else {
                first = false;
            }
        }
        return moved;
    }

    private boolean place(Room room, long octets, boolean first) {
        if (room.share == head) {
            return put(room, octets, head);
        }
        boolean small = room.held + octets <= SMALL;
        if (small && (put(room, octets, common) || put(room, octets, spare))) {
            return true;
        }
        return first && (put(room, octets, common) || (head.used == 0 && put(room, octets, head)));
    }

    /** Moves all of a message to another share, as each message is in one share. */
    private static boolean put(Room room, long octets, Share share) {
        Share before = room.share;
        long more = before == share ? octets : room.held + octets;
        if (!share.has(more)) {
            return false;
        }
        if (before != null && before != share) {
            before.used -= room.held;
        }
        share.used += more;
        room.held += octets;
        room.share = share;
        return true;
    }
}
