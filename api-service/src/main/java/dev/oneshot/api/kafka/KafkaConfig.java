package dev.oneshot.api.kafka;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings for Kafka that Kafka's own clients do not have. */
@ConfigMapping(prefix = "oneshot.kafka")
public interface KafkaConfig {

    /**
     * How long batches of mail in progress may take when the service stops, 0 to 10 minutes. Another replica stores those that
     * take longer.
     */
    @WithDefault("PT20S")
    Duration stopTimeout();
}
