package dev.oneshot.ingest.transcript;

import dev.oneshot.ingest.smtp.data.MemoryBudget;
import java.util.function.LongPredicate;

/** The memory of one session, which counts what is held. */
public final class CountedMemory implements MemoryBudget {

    private final LongPredicate waits;
    private long reservations;
    private long max;
    private long held;
    private long most;

    /** @param waits whether a reservation must wait, by its number */
    private CountedMemory(long max, LongPredicate waits) {
        this.max = max;
        this.waits = waits;
    }

    public static CountedMemory of(long max) {
        return new CountedMemory(max, _ -> false);
    }

    /** There is always memory, but only after a wait. */
    public static CountedMemory waitedFor() {
        return new CountedMemory(Long.MAX_VALUE, _ -> true);
    }

    /** There is always memory, but every second reservation has to wait. */
    public static CountedMemory halfWaitedFor() {
        return new CountedMemory(Long.MAX_VALUE, number -> number % 2 == 1);
    }

    @Override
    public boolean reserve(long octets) {
        return !waits.test(++reservations) && find(octets);
    }

    /** Reserves bytes after a wait, if there are enough. */
    public boolean find(long octets) {
        if (octets > max - held) {
            return false;
        }
        held += octets;
        most = Math.max(most, held);
        return true;
    }

    @Override
    public void release(long octets) {
        held -= octets;
        if (held < 0) {
            throw new IllegalStateException("more memory released than reserved");
        }
    }

    /** Limits the memory from now on. */
    public void limit(long octets) {
        max = octets;
    }

    public long held() {
        return held;
    }

    /** The most that was ever held. */
    public long most() {
        return most;
    }
}
