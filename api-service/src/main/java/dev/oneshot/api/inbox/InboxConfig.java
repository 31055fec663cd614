package dev.oneshot.api.inbox;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How mail is stored and read. */
@ConfigMapping(prefix = "oneshot.inbox")
public interface InboxConfig {

    /**
     * How long stored mail can be read again from Kafka if the database loses commits; then it is deleted there as
     * well, up to 10 seconds later. 0 to 24 hours.
     */
    @WithDefault("PT5M")
    Duration replayWindow();

    /**
     * The memory for all mail and lists that are being read, 1M to 2047M. While others wait, an account gets at most an eighth of it, unless one
     * mail needs more.
     */
    @WithDefault("128M")
    MemorySize readMemory();

    /**
     * The memory for all mail and lists of up to 64 KiB that are being read, 1M to 2047M, shared in the same way, so that it does
     * not wait for large mail.
     */
    @WithDefault("16M")
    MemorySize smallReadMemory();

    /**
     * How long a request waits for that memory before it gets 503, or 429 if its own account holds its share. While it waits, a
     * connection of another account is closed if its client reads nothing for a second, or would need more than half of this time. If
     * waiting requests need several times the memory, the pause is shorter, but at least a quarter of a second.
     */
    @WithDefault("PT5S")
    Duration readWait();

    /**
     * How long a client may take for a response that holds some of that memory, in addition to the response's size
     * divided by {@link #readRateMin()}; then its connection is closed.
     */
    @WithDefault("PT1M")
    Duration readTime();

    /** How many bytes a second a client must take in the long run. */
    @WithDefault("32K")
    MemorySize readRateMin();
}
