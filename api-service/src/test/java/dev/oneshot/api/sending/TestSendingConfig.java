package dev.oneshot.api.sending;

import io.quarkus.runtime.configuration.MemorySize;
import java.math.BigInteger;
import java.time.Duration;

/** Sending, as a test needs it. */
record TestSendingConfig(int outboxBatch, int window) implements SendingConfig {

    @Override
    public int attachmentsMax() {
        return 1;
    }

    @Override
    public MemorySize outboxMemory() {
        return new MemorySize(BigInteger.valueOf(1000));
    }

    @Override
    public Duration outboxInterval() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Duration lease() {
        return Duration.ofMinutes(25);
    }
}
