package dev.oneshot.ingest.transcript;

import dev.oneshot.ingest.smtp.data.MemoryBudget;

/** The memory of one session, which counts what is held. */
public final class CountedMemory implements MemoryBudget {

    private final boolean waitedFor;
    private long max;
    private long held;
    private long most;

    private CountedMemory(long max, boolean waitedFor) {
        this.max = max;
        this.waitedFor = waitedFor;
    }

    public static CountedMemory of(long max) {
        return new CountedMemory(max, false);
    }

    /** There is always some, but only for those who wait for it. */
    public static CountedMemory waitedFor() {
        return new CountedMemory(Long.MAX_VALUE, true);
    }

    @Override
    public boolean reserve(long octets) {
        return !waitedFor && find(octets);
    }

    /** Reserves octets for one who has waited, if there are enough. */
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
    }

    /** From now on there is no more than this. */
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
