package dev.oneshot.api.body;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Limits on request bodies. */
@ConfigMapping(prefix = "oneshot.http")
public interface BodyConfig {

    /**
     * The largest request body; beyond it 413. Plans have lower bounds, beyond which it is 422. It must be above the largest plan's e-mail limit × 4/3, as attachments come in
     * base64. Otherwise clients get 413 where the contract says 422.
     */
    @WithDefault("48M")
    MemorySize bodyMax();

    /**
     * The memory for the bodies of all large requests together, each counted as three times its length; 1M to 2047M. While others wait,
     * an account gets at most an eighth of it, unless one body needs more. With too much of it, a few large mails to send exhaust the heap.
     */
    @WithDefault("160M")
    MemorySize bodyMemory();

    /**
     * The memory for all bodies of 4 to 64 KiB together, 1M to 2047M, shared in the same way. Smaller ones are not counted. Without a bound
     * an account could begin thousands of them and let them stall.
     */
    @WithDefault("16M")
    MemorySize smallBodyMemory();

    /**
     * How long a request waits for that memory before it gets 503, or 429; also the value of Retry-After. While it waits, a body of
     * another account gets 408 if its client pauses for a second, or if it would take more than half of this time. If waiting requests
     * need several times the memory, the pause is shorter, but at least a quarter of a second.
     */
    @WithDefault("PT10S")
    Duration bodyWait();

    /**
     * How long a body may take to arrive, without the wait for memory, at least 1 ms. Then a body of up to 4 KiB gets 408, and a larger
     * one with its next byte. Without this limit, a byte a minute would hold the memory for ever.
     */
    @WithDefault("PT1M")
    Duration bodyReceive();
}
