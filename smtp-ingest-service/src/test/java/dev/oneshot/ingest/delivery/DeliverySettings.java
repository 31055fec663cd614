package dev.oneshot.ingest.delivery;

import dev.oneshot.ingest.KafkaConfig;
import dev.oneshot.ingest.smtp.AuthservId;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import java.util.stream.Collectors;

/** Settings of the delivery as a start reads them. */
final class DeliverySettings {

    private DeliverySettings() {}

    /** Those that are given, by their names without {@code oneshot.delivery}, and defaults. */
    static DeliveryConfig read(Map<String, String> settings) {
        return config(settings.entrySet().stream()
                        .collect(Collectors.toMap(entry -> "oneshot.delivery." + entry.getKey(), Map.Entry::getValue)))
                .getConfigMapping(DeliveryConfig.class);
    }

    /** Where Kafka is, with further settings of its clients by Kafka's own names. */
    static KafkaConfig kafka(Map<String, String> client) {
        return config(client.entrySet().stream()
                        .collect(Collectors.toMap(
                                entry -> "oneshot.kafka.client.\"" + entry.getKey() + '"', Map.Entry::getValue)))
                .getConfigMapping(KafkaConfig.class);
    }

    /** A policy of which only the largest message matters. */
    static SmtpPolicy policy(int messageBytesMax) {
        return new SmtpPolicy(
                "mx.example", AuthservId.of("mx.example"), messageBytesMax, 1, 1, 1, 1, 1_024, 1_000, 1, null);
    }

    private static SmallRyeConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withMapping(DeliveryConfig.class)
                .withMapping(KafkaConfig.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
    }
}
