package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.smtp.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/** The octets of messages that all sessions hold. */
final class MessageMemory implements MemoryBudget {

    private final AtomicLong reserved = new AtomicLong();
    private final long max;

    MessageMemory(long max) {
        this.max = max;
    }

    @Override
    public boolean reserve(long octets) {
        long before = reserved.get();
        while (octets <= max - before) {
            if (reserved.compareAndSet(before, before + octets)) {
                return true;
            }
            before = reserved.get();
        }
        return false;
    }

    @Override
    public void release(long octets) {
        reserved.addAndGet(-octets);
    }

    long max() {
        return max;
    }

    long reserved() {
        return reserved.get();
    }
}
