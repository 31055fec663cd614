package dev.oneshot.ingest.delivery;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How messages are sent to Kafka, in addition to the producer's properties. */
@ConfigMapping(prefix = "oneshot.delivery")
public interface DeliveryConfig {

    /**
     * Messages up to this size, times their recipients, are read and sent on the thread of their session, larger ones
     * on a new thread. At most 16M.
     */
    @WithDefault("256K")
    MemorySize inlineBytesMax();
}
