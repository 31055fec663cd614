package dev.oneshot.ingest;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Map;

/** Where Kafka is. */
@ConfigMapping(prefix = "oneshot.kafka")
public interface KafkaConfig {

    /** Brokers to begin with, {@code host:port} separated by commas. When none answers, mail is refused with 451. */
    @WithDefault("127.0.0.1:9092")
    String bootstrapServers();

    /**
     * Further settings of every Kafka client by Kafka's own names, such as
     * {@code oneshot.kafka.client."security.protocol"}: how to reach brokers that want TLS or SASL.
     */
    Map<String, String> client();
}
