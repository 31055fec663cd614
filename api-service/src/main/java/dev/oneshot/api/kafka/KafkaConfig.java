package dev.oneshot.api.kafka;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Map;

/** How this service reaches Kafka. */
@ConfigMapping(prefix = "oneshot.kafka")
public interface KafkaConfig {

    /** The brokers to ask first, {@code host:port} with commas between. */
    @WithDefault("127.0.0.1:9092")
    String bootstrapServers();

    /** Further client properties in Kafka's own words, such as {@code security.protocol}. */
    Map<String, String> client();

    /** How long a producer may look for a broker before it gives up on a record. */
    @WithDefault("PT1S")
    Duration maxBlock();

    /** How long a producer tries to deliver a record in all. */
    @WithDefault("PT30S")
    Duration deliveryTimeout();

    /**
     * How long all that reads and writes Kafka may take to end, together, when the service stops; 0 to 10 minutes. What is
     * not done by then is done again by another replica.
     */
    @WithDefault("PT20S")
    Duration stopTimeout();

    /** How much a producer holds that Kafka has not acknowledged yet, in octets. */
    @WithDefault("1048576")
    long closedBufferBytes();
}
