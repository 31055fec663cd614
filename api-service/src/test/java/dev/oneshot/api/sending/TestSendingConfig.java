package dev.oneshot.api.sending;

import io.quarkus.runtime.configuration.MemorySize;
import java.math.BigInteger;
import java.time.Duration;

/** Settings of sending for a test. */
record TestSendingConfig(int outboxBatch, int window, Duration lease) implements SendingConfig {

    TestSendingConfig(int outboxBatch, int window) {
        this(outboxBatch, window, Duration.ofMinutes(25));
    }

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
}
