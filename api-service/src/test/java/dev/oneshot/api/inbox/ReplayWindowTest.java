package dev.oneshot.api.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@ServiceTest
class ReplayWindowTest {

    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

    private final String brokers = ConfigProvider.getConfig().getValue("oneshot.kafka.bootstrap-servers", String.class);
    private final Admin admin = Admin.create(
            Map.of("bootstrap.servers", brokers, "request.timeout.ms", 1_000, "default.api.timeout.ms", 1_000));
    private final TopicPartition partition = new TopicPartition("replay-" + UUID.randomUUID(), 0);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void whatWasStoredIsDeletedWhenItLeavesTheWindow() throws Exception {
        topicWith(5);
        ReplayWindow window = new ReplayWindow(admin, FIVE_MINUTES, () -> now);

        window.stored(before(2));
        window.move();
        now = now.plusSeconds(100);
        window.stored(before(4));
        window.move();
        assertThat(firstOffset()).isZero();

        now = now.plusSeconds(199);
        window.move();
        now = now.plusSeconds(10);
        window.move();

        await().untilAsserted(() -> assertThat(firstOffset()).isEqualTo(2));

        now = now.plusSeconds(100);
        window.move();

        await().untilAsserted(() -> assertThat(firstOffset()).isEqualTo(4));
    }

    @Test
    void nothingIsDeletedASecondBeforeItLeavesTheWindow() throws Exception {
        topicWith(3);
        ReplayWindow window = new ReplayWindow(admin, FIVE_MINUTES, () -> now);
        window.stored(before(3));
        window.move();

        now = now.plus(FIVE_MINUTES).minusSeconds(1);
        window.move();

        // A deletion of another window's goes to the same broker after what this one had asked for.
        ReplayWindow other = new ReplayWindow(admin, Duration.ZERO, () -> now);
        other.stored(before(1));
        other.move();
        await().untilAsserted(() -> assertThat(firstOffset()).isEqualTo(1));
    }

    @Test
    void aDeletionThatFailedIsTriedAgain() throws Exception {
        ReplayWindow window = new ReplayWindow(admin, Duration.ZERO, () -> now);
        window.stored(before(2));
        window.move();

        topicWith(3);

        await().untilAsserted(() -> {
            now = now.plusSeconds(1);
            window.move();
            assertThat(firstOffset()).isEqualTo(2);
        });
    }

    private Map<TopicPartition, OffsetAndMetadata> before(long offset) {
        return Map.of(partition, new OffsetAndMetadata(offset));
    }

    private void topicWith(int records) throws Exception {
        admin.createTopics(List.of(new NewTopic(partition.topic(), 1, (short) 1)))
                .all()
                .get();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(partition.topic(), new byte[] {1}))
                        .get();
            }
        }
    }

    private long firstOffset() throws InterruptedException, ExecutionException {
        return admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                .partitionResult(partition)
                .get()
                .offset();
    }
}
