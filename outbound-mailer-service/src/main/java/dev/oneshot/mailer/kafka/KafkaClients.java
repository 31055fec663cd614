package dev.oneshot.mailer.kafka;

import dev.oneshot.contracts.event.Topic;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes the clients; whoever gets one closes it. */
@Singleton
public class KafkaClients {

    private static final int API_TIMEOUT_MS = 10_000;
    /** A killed replica's partitions wait this long for another one. */
    private static final int SESSION_TIMEOUT_MS = 10_000;

    /** A member hears of a rebalance by its heartbeats: a stopped replica's partitions wait this long for another one. */
    private static final int HEARTBEAT_INTERVAL_MS = 1_000;
    /** What a heartbeat, or the end of a mail's data, may be late. */
    private static final int LATENESS_MS = 2_000;

    /** How long a member that has just proved to be one stays one, if it stops or is cut off at once. */
    public static final Duration MEMBERSHIP =
            Duration.ofMillis(SESSION_TIMEOUT_MS - HEARTBEAT_INTERVAL_MS - LATENESS_MS);

    /**
     * A transaction that begins while Kafka still completes the one before it is told to come again: after Kafka's usual
     * 100 ms each would take 65 ms instead of 11.
     */
    private static final int TRANSACTION_RETRY_BACKOFF_MS = 5;

    private static final int FETCH_BYTES = 4 * 1024 * 1024;
    private static final long BUFFER_BYTES = Topic.RECORD_BYTES_MAX + 8L * 1024 * 1024;

    private final KafkaConfig config;

    public KafkaClients(KafkaConfig config) {
        this.config = config;
    }

    /**
     * A member of a consumer group that commits by itself, sees committed records only, and keeps its partitions in a
     * rebalance where it can.
     *
     * @param pollInterval the longest pause between two polls before the group takes the partitions away
     * @param recordsMax the most records a poll answers
     */
    public KafkaConsumer<byte[], byte[]> groupConsumer(String group, Duration pollInterval, int recordsMax) {
        Map<String, Object> settings = consumerSettings();
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, Math.toIntExact(pollInterval.toMillis()));
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, recordsMax);
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
        settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_INTERVAL_MS);
        settings.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        return new KafkaConsumer<>(settings);
    }

    /** A consumer of partitions it is told, without a group. */
    public KafkaConsumer<byte[], byte[]> soleConsumer() {
        return new KafkaConsumer<>(consumerSettings());
    }

    /**
     * The same, for who wants to see partitions that are added.
     *
     * @param metadataAge how old what it says of a topic's partitions may be
     */
    public KafkaConsumer<byte[], byte[]> soleConsumer(Duration metadataAge) {
        Map<String, Object> settings = consumerSettings();
        settings.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, metadataAge.toMillis());
        return new KafkaConsumer<>(settings);
    }

    private Map<String, Object> consumerSettings() {
        Map<String, Object> settings = clientSettings();
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, API_TIMEOUT_MS);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, API_TIMEOUT_MS);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return settings;
    }

    /** A producer whose records and offsets become visible together or not at all. */
    public KafkaProducer<byte[], byte[]> transactionalProducer(String transactionalId) {
        Map<String, Object> settings = clientSettings();
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, TRANSACTION_RETRY_BACKOFF_MS);
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 3 * API_TIMEOUT_MS);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topic.RECORD_BYTES_MAX);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, API_TIMEOUT_MS);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, API_TIMEOUT_MS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 3 * API_TIMEOUT_MS);
        return new KafkaProducer<>(settings);
    }

    public Admin admin() {
        return Admin.create(clientSettings());
    }

    private Map<String, Object> clientSettings() {
        Map<String, Object> settings = new HashMap<>(config.client());
        settings.put("bootstrap.servers", config.bootstrapServers());
        return settings;
    }
}
