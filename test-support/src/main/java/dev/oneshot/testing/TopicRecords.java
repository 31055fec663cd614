package dev.oneshot.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Publishes records to topics, and reads those that a topic has by now. */
public final class TopicRecords {

    private static final int REQUEST_BYTES_MAX = 100_000_000;

    private TopicRecords() {}

    /** Publishes records together, to any topics, and waits until Kafka has them. */
    public static void publish(String brokers, List<ProducerRecord<String, byte[]>> records) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", brokers,
                "max.request.size", REQUEST_BYTES_MAX,
                "buffer.memory", 2L * REQUEST_BYTES_MAX);
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(properties, new StringSerializer(), new ByteArraySerializer())) {
            for (Future<?> one : records.stream().map(producer::send).toList()) {
                one.get();
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** All records with this key. */
    public static List<ConsumerRecord<String, byte[]>> read(String brokers, String topic, String key) {
        List<ConsumerRecord<String, byte[]>> found = new ArrayList<>();
        // Closing the consumer waits for its last fetch, which finds nothing: by default half a second.
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers, "fetch.max.wait.ms", 10),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    if (key.equals(record.key())) {
                        found.add(record);
                    }
                }
            }
        }
        return found;
    }
}
