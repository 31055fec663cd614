package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.smtp.MemoryBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The octets of messages that all sessions hold, and the queue of those that wait for more. In three shares, so that
 * there is always one that can be finished:
 *
 * <ul>
 *   <li>The head's share holds one largest message. The oldest message gets it when there is nothing else for it, and
 *       keeps it to its end; then the next one does.
 *   <li>The common share goes to messages in the order in which they began: a few are finished soon, instead of all
 *       being begun.
 *   <li>The spare is for messages as long as they are small, as they need not queue behind large ones, and for octets
 *       that have been read from a socket already when their message has to wait; those of large ones fill half of it
 *       at the most.
 * </ul>
 *
 * For any number of threads.
 */
final class MessageMemory {

    /** Up to here a message is small. */
    static final int SMALL = 64 * 1024;

    private final Object lock = new Object();
    private final long max;
    private final Duration patience;
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
     * All of it is free.
     *
     * @param max the octets there are
     * @param largest what one message may need; if there is less, a message may wait though it is the only one
     * @param patience for how long a session waits for the next octets, 0 for not at all
     */
    MessageMemory(long max, long largest, Duration patience) {
        this.max = max;
        this.patience = patience;
        this.head = new Share(Math.min(max, largest));
        this.spare = new Share((max - head.max) / 2);
        this.common = new Share(max - head.max - spare.max);
    }

    /** For one session, one message at a time. */
    Room room() {
        return new Room();
    }

    long max() {
        return max;
    }

    Duration patience() {
        return patience;
    }

    /** How many are not free. */
    long reserved() {
        synchronized (lock) {
            return head.used + common.used + spare.used;
        }
    }

    /** How many sessions wait. */
    int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    /** What one session holds of it. */
    final class Room implements MemoryBudget {

        // All of it is guarded by the lock.
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
         * @param unread octets that are in memory already, though the message has no room for them; they count until
         *     the wait is over
         * @param taken called once the octets are taken, perhaps at once, and on any thread
         * @return false if there is no room for what is unread: then nothing is waited for
         */
        boolean await(long octets, long unread, Runnable taken) {
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

        /** Ends the wait; whether the octets have been taken. */
        boolean stopWaiting() {
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

        /** Whether others wait while this holds more than a small message, and does not wait itself. */
        boolean isInTheWay() {
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

    /** Makes a change, then gives what is free to those that wait. They are told once the lock is free. */
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

    /** One round; whether it has freed something by moving a message, which those before it may want. */
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

    /** A message lies in one share: when it goes to another, all of it does. */
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
