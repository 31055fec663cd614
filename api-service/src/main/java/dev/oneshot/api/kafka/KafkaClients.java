package dev.oneshot.api.kafka;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Opens producers, consumers and clients of the administration. Whoever opens one closes it. */
@ApplicationScoped
public class KafkaClients {

    private static final Duration STOP_TIMEOUT_MAX = Duration.ofMinutes(10);

    private final KafkaConfig config;
    private final AtomicReference<@Nullable Long> stoppingSince = new AtomicReference<>();

    KafkaClients(KafkaConfig config) {
        if (config.stopTimeout().isNegative() || config.stopTimeout().compareTo(STOP_TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException("oneshot.kafka.stop-timeout must be between PT0S and " + STOP_TIMEOUT_MAX
                    + ", not " + config.stopTimeout());
        }
        this.config = config;
    }

    /**
     * Waits for the end of a thread that uses clients, and was told to stop. All of them together have
     * {@link KafkaConfig#stopTimeout()} from the first call on.
     *
     * @return whether it has ended
     */
    public boolean awaitEnd(Thread thread) throws InterruptedException {
        long now = System.nanoTime();
        stoppingSince.compareAndSet(null, now);
        long waited = now - Objects.requireNonNull(stoppingSince.get());
        return thread.join(config.stopTimeout().minusNanos(waited));
    }

    /**
     * Opens a producer that waits for all in-sync replicas and never writes a record twice.
     *
     * @param name its client id
     * @param settings in Kafka's words, over our own
     */
    public KafkaProducer<String, byte[]> producer(String name, Map<String, Object> settings) {
        Map<String, Object> properties = common(name);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, config.maxBlock().toMillis());
        properties.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.deliveryTimeout().toMillis()));
        properties.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.deliveryTimeout().toMillis() / 2));
        properties.putAll(config.client());
        properties.putAll(settings);
        return new KafkaProducer<>(properties, new StringSerializer(), new ByteArraySerializer());
    }

    /**
     * Opens a consumer.
     *
     * @param name its client id
     * @param settings in Kafka's words, over our own
     */
    public KafkaConsumer<String, byte[]> consumer(String name, Map<String, Object> settings) {
        Map<String, Object> properties = common(name);
        properties.putAll(config.client());
        properties.putAll(settings);
        return new KafkaConsumer<>(properties, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Opens a client of the brokers' administration.
     *
     * @param name its client id
     */
    public Admin admin(String name) {
        Map<String, Object> properties = common(name);
        properties.putAll(config.client());
        return Admin.create(properties);
    }

    private Map<String, Object> common(String name) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        properties.put(CommonClientConfigs.CLIENT_ID_CONFIG, name);
        return properties;
    }
}
