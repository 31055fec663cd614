package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.eclipse.microprofile.config.ConfigProvider;

/** The records of a topic. */
public final class TestTopic {

    private TestTopic() {}

    /** All records with this key. */
    public static List<ConsumerRecord<String, byte[]>> read(Topic topic, String key) {
        try (KafkaConsumer<String, byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = partitions(consumer, topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<ConsumerRecord<String, byte[]>> found = new ArrayList<>();
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
                for (ConsumerRecord<String, byte[]> letter : consumer.poll(Duration.ofMillis(200))) {
                    if (key.equals(letter.key())) {
                        found.add(letter);
                    }
                }
            }
            return found;
        }
    }

    /** Waits for a record with this key, which is the only one. */
    public static ConsumerRecord<String, byte[]> awaitOne(Topic topic, String key) {
        await().atMost(Duration.ofSeconds(60)).until(() -> !read(topic, key).isEmpty());
        List<ConsumerRecord<String, byte[]>> records = read(topic, key);
        assertThat(records).hasSize(1);
        return records.getFirst();
    }

    /** How many records a topic has, without deleted and expired ones. */
    public static long readable(Topic topic) {
        try (KafkaConsumer<String, byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = partitions(consumer, topic);
            consumer.assign(partitions);
            return sum(consumer.endOffsets(partitions)) - sum(consumer.beginningOffsets(partitions));
        }
    }

    private static long sum(Map<TopicPartition, Long> offsets) {
        return offsets.values().stream().mapToLong(Long::longValue).sum();
    }

    private static List<TopicPartition> partitions(KafkaConsumer<String, byte[]> consumer, Topic topic) {
        return consumer.partitionsFor(topic.topicName()).stream()
                .map(partition -> new TopicPartition(topic.topicName(), partition.partition()))
                .toList();
    }

    private static KafkaConsumer<String, byte[]> consumer() {
        // Closing the consumer waits for its last fetch, which finds nothing: by default half a second.
        Map<String, Object> properties = Map.of(
                "bootstrap.servers",
                ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class),
                "fetch.max.wait.ms",
                10);
        return new KafkaConsumer<>(properties, new StringDeserializer(), new ByteArrayDeserializer());
    }
}
