package dev.oneshot.ingest.memory;

import dev.oneshot.ingest.smtp.data.MemoryBudget;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of messages of all sessions, and the queue of messages that wait for more.
 *
 * <p>The memory has three parts:
 *
 * <ul>
 *   <li>As much as the largest message needs is for one message at a time, the head. So at least one message can always be
 *       completed. If the oldest message finds no other memory, it becomes the head, and stays so until it ends.
 *   <li>Half of the rest is for all other messages. Those that began first get it first, so that some are complete soon.
 *   <li>The other half is for small messages, which need not wait behind large ones. It also counts bytes that were read
 *       from a socket before their message had to wait; those of large messages take half of it at most.
 * </ul>
 *
 * <p>Safe for use by many threads.
 */
public final class MessageMemory {

    /** The largest size of a small message. */
    public static final int SMALL = 64 * 1024;

    private final Object lock = new Object();
    private final long max;
    private final long headMax;
    private final long spare;
    private final Duration waitMax;
    private final TreeSet<SessionMemory> waiting = new TreeSet<>(Comparator.comparingLong(session -> session.since));
    private @Nullable SessionMemory head;
    // Bytes of all messages but the head, and those of large ones among them.
    private long shared;
    private long sharedByLarge;
    // Bytes that were read from sockets, whose messages wait for memory.
    private long unread;
    private long messages;

    /**
     * @param max the size of the memory in bytes
     * @param largest the size of the largest message; with less memory, a single message may have to wait
     * @param waitMax how long a session waits for the next bytes; 0 for no wait
     */
    public MessageMemory(long max, long largest, Duration waitMax) {
        this.max = max;
        this.waitMax = waitMax;
        this.headMax = Math.min(max, largest);
        this.spare = (max - headMax) / 2;
    }

    /** The memory of one session, which has one message at a time. */
    public SessionMemory ofSession() {
        return new SessionMemory();
    }

    public long max() {
        return max;
    }

    /** How many bytes are in use. */
    public long reserved() {
        synchronized (lock) {
            return shared + unread + (head == null ? 0 : head.held);
        }
    }

    /** How many sessions wait. */
    public int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    /** The memory that one session holds. */
    public final class SessionMemory implements MemoryBudget {

        // Guarded by the lock.
        private long since;
        private long held;
        private @Nullable Demand demand;

        @Override
        public boolean reserve(long octets) {
            synchronized (lock) {
                beginIfNew();
                return place(this, octets, waiting.isEmpty() || since <= waiting.first().since);
            }
        }

        @Override
        public void release(long octets) {
            synchronized (lock) {
                hold(this, held - octets);
                head = this == head && held == 0 ? null : head;
                serve();
            }
        }

        /**
         * Waits for bytes.
         *
         * @param alreadyRead bytes from the socket for which the message has no memory; they count until the wait ends
         * @param onEnd called exactly once, possibly before this method returns, on any thread; true if the bytes were
         *     reserved; must not block
         */
        public void await(long octets, long alreadyRead, Consumer<Boolean> onEnd) {
            synchronized (lock) {
                boolean small = held + octets <= SMALL;
                long free = Math.min(max - headMax - shared, small ? Long.MAX_VALUE : spare / 2) - unread;
                if (isOverdue(0) || alreadyRead > free) {
                    onEnd.accept(false);
                    return;
                }
                beginIfNew();
                unread += alreadyRead;
                demand = new Demand(octets, alreadyRead, onEnd);
                waiting.add(this);
                serve();
            }
        }

        /** Whether a wait of this length is over. */
        public boolean isOverdue(long nanos) {
            return nanos >= waitMax.toNanos();
        }

        /** Ends the wait, if there is one, without reserving bytes. */
        public void stopWaiting() {
            synchronized (lock) {
                if (demand != null) {
                    endWait(demand, false);
                    serve();
                }
            }
        }

        /** Whether other messages wait while this one has more memory than a small message and does not wait. */
        public boolean blocksOthers() {
            synchronized (lock) {
                return held > SMALL && demand == null && !waiting.isEmpty();
            }
        }

        private void endWait(Demand ended, boolean taken) {
            waiting.remove(this);
            demand = null;
            unread -= ended.alreadyRead;
            ended.onEnd.accept(taken);
        }

        private void beginIfNew() {
            if (held == 0) {
                since = ++messages;
            }
        }
    }

    private record Demand(long octets, long alreadyRead, Consumer<Boolean> onEnd) {}

    /** Gives free memory to waiting messages. */
    private void serve() {
        boolean first = true;
        for (SessionMemory session : List.copyOf(waiting)) {
            Demand demand = session.demand;
            if (demand != null && place(session, demand.octets, first)) {
                session.endWait(demand, true);
            } else {
                first = false;
            }
        }
    }

    private boolean place(SessionMemory session, long octets, boolean first) {
        long held = session.held + octets;
        boolean fits = octets <= max - headMax - shared - unread
                && sharedByLarge - large(session.held) + large(held) <= max - headMax - spare;
        if (session != head && fits && (first || large(held) == 0)) {
            hold(session, held);
            return true;
        }
        boolean mayBeHead = session == head || (head == null && first);
        if (!mayBeHead || octets > headMax - session.held) {
            return false;
        }
        hold(session, 0);
        head = session;
        hold(session, held);
        return true;
    }

    private void hold(SessionMemory session, long octets) {
        if (session != head) {
            shared += octets - session.held;
            sharedByLarge += large(octets) - large(session.held);
        }
        session.held = octets;
    }

    private static long large(long octets) {
        return octets > SMALL ? octets : 0;
    }
}
