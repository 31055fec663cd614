package dev.oneshot.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.testing.TopicRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.eclipse.microprofile.config.ConfigProvider;

/** The records of a topic. */
public final class TestTopic {

    private static final int BROKER = 1;

    private TestTopic() {}

    /** All records with this key. */
    public static List<ConsumerRecord<String, byte[]>> read(Topic topic, String key) {
        return TopicRecords.read(brokers(), topic.topicName(), key);
    }

    /** Waits for a record with this key, which is the only one. */
    public static ConsumerRecord<String, byte[]> awaitOne(Topic topic, String key) {
        await().until(() -> !read(topic, key).isEmpty());
        List<ConsumerRecord<String, byte[]>> records = read(topic, key);
        assertThat(records).hasSize(1);
        return records.getFirst();
    }

    /** How many records a topic has, without deleted and expired ones. */
    public static long readable(Topic topic) {
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers()), new StringDeserializer(), new ByteArrayDeserializer())) {
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

    /** The address of the service's broker. */
    public static String brokers() {
        return ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class);
    }

    /** How many files of a topic contain a text, with files that are renamed for deletion. */
    public static long filesWith(String topic, String text) throws Exception {
        Path logs;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers()))) {
            logs = Path.of(admin.describeLogDirs(List.of(BROKER))
                    .descriptions()
                    .values()
                    .iterator()
                    .next()
                    .get()
                    .keySet()
                    .iterator()
                    .next());
        }
        try (Stream<Path> files = Files.find(
                logs,
                2,
                (file, attributes) -> attributes.isRegularFile()
                        && logs.relativize(file).toString().startsWith(topic + "-"))) {
            return files.filter(file -> contains(file, text)).count();
        } catch (UncheckedIOException e) {
            // A file was deleted in the meantime.
            return filesWith(topic, text);
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file, ISO_8859_1).contains(text);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
