package dev.oneshot.api.inbox;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How mail is taken in and read out. */
@ConfigMapping(prefix = "oneshot.inbox")
public interface InboxConfig {

    /** The consumer group on {@code mail.inbound}; all replicas of this service are in it. */
    @WithDefault("oneshot-api")
    String group();

    /** Consumers in this process, each with its own thread and fetch buffers. */
    @WithDefault("1")
    int consumers();

    /** The most mails in one transaction. */
    @WithDefault("500")
    int batchMails();

    /**
     * The most octets in one fetch; a single larger mail is fetched all the same, alone. With the batch at work and
     * the next fetch on its way, a consumer holds some three times of the larger of this and the largest mail.
     */
    @WithDefault("8M")
    MemorySize fetchMax();

    /** The first pause when the database or the dead letter topic is away; it doubles from try to try. */
    @WithDefault("PT0.2S")
    Duration pauseMin();

    /** The longest pause between tries; there is no last try. */
    @WithDefault("PT10S")
    Duration pauseMax();

    /**
     * How long stored mail can be read again from Kafka, should the database lose commits; then it is deleted there as
     * well. 0 to 24 hours.
     */
    @WithDefault("PT5M")
    Duration replayWindow();

    /** How far ahead of now there are partitions for mail; above the longest lifetime of an address. */
    @WithDefault("PT30H")
    Duration partitionsAhead();

    /**
     * How many octets of a mail one statement reads when it is streamed, 1K to 16M. Each download holds twice as many for as
     * long as its reader takes.
     */
    @WithDefault("256K")
    MemorySize readChunk();

    /**
     * How much memory the bodies of all mails being read, and all downloads, may take; a mail that needs more is read alone.
     */
    @WithDefault("128M")
    MemorySize readMemory();

    /** How long a reader waits for that memory before it is told 503, or 429 if its own account holds it. */
    @WithDefault("PT5S")
    Duration readWait();

    /**
     * How long a reader may take for an answer that holds some of that memory, besides what it needs at {@link #readRateMin()};
     * then the connection ends, as others wait for the memory.
     */
    @WithDefault("PT1M")
    Duration readTime();

    /** How many octets a second a reader has to take in the long run. What it misses of a download it may ask for by a range. */
    @WithDefault("32K")
    MemorySize readRateMin();
}
