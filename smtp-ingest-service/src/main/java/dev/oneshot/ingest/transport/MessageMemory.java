package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.smtp.MemoryBudget;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/** The octets of messages that all sessions hold. */
@Singleton
final class MessageMemory implements MemoryBudget {

    private final AtomicLong reserved = new AtomicLong();
    private final long max;

    MessageMemory(SmtpConfig config) {
        this.max = config.memoryBytesMax().asLongValue();
        if (max < 1) {
            throw new IllegalArgumentException("oneshot.smtp.memory-bytes-max must be at least 1");
        }
    }

    @Override
    public boolean reserve(long octets) {
        long before = reserved.get();
        while (before + octets <= max) {
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

    long reserved() {
        return reserved.get();
    }
}
