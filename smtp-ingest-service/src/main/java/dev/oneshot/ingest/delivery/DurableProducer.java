package dev.oneshot.ingest.delivery;

import io.smallrye.reactive.messaging.ClientCustomizer;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.eclipse.microprofile.config.Config;

/** Fixes the producer's properties that a 250 and the event loops depend on, whatever is configured. */
@ApplicationScoped
class DurableProducer implements ClientCustomizer<Map<String, Object>> {

    private static final Map<String, String> FIXED = Map.of(
            ProducerConfig.ACKS_CONFIG, "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
            // Event loops send, and must not block.
            ProducerConfig.MAX_BLOCK_MS_CONFIG, "0",
            // "rebootstrap" forgets the partitions while the brokers are down, so mail would be rejected for a while
            // afterwards.
            CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "none",
            ProducerConfig.METADATA_MAX_IDLE_CONFIG,
                    Long.toString(Duration.ofDays(365).toMillis()));

    @Override
    public Map<String, Object> customize(String channel, Config channelConfig, Map<String, Object> properties) {
        if (channel.equals(InboundProducerSettings.CHANNEL)) {
            properties.putAll(FIXED);
        }
        return properties;
    }
}
