package dev.oneshot.ingest.delivery;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How messages are handed to Kafka. */
@ConfigMapping(prefix = "oneshot.delivery")
public interface DeliveryConfig {

    /**
     * How long Kafka has to acknowledge a message before the client hears 451. Clients wait ten minutes (RFC 5321
     * §4.5.3.2.6), but a session that waits holds its message in memory. Between {@link #requestTimeout()} and 10
     * minutes.
     */
    @WithDefault("10s")
    Duration timeout();

    /** How long one request to a broker may take before it is sent again. */
    @WithDefault("5s")
    Duration requestTimeout();

    /**
     * The octets of records on their way to the brokers; when they are spent, clients hear 452, those with messages over
     * {@link #inlineBytesMax()} after {@link #timeout()}. At least 2M more than {@code oneshot.smtp.message-bytes-max}, so that it
     * holds the largest message.
     */
    @WithDefault("40M")
    MemorySize bufferMemory();

    /**
     * Messages up to this size, times their recipients, are read and sent on the thread of their session, larger ones on
     * one of their own. At most 16M.
     */
    @WithDefault("256K")
    MemorySize inlineBytesMax();
}
