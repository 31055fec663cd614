package dev.oneshot.mailer.kafka;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Map;

/** Where Kafka is. */
@ConfigMapping(prefix = "oneshot.kafka")
public interface KafkaConfig {

    /** Brokers to begin with, as {@code host:port,…}. */
    @WithDefault("127.0.0.1:9092")
    String bootstrapServers();

    /** What else Kafka's clients should know, by Kafka's own names, such as {@code security.protocol}. */
    Map<String, String> client();
}
