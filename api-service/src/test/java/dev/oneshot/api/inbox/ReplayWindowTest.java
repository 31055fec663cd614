package dev.oneshot.api.inbox;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestBean;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.testing.TestSettings;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DeleteRecordsOptions;
import org.apache.kafka.clients.admin.DeleteRecordsResult;
import org.apache.kafka.clients.admin.DeletedRecords;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class ReplayWindowTest {

    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
    /** After this Kafka closes the file with the next record, whatever the clocks say. */
    private static final long SEGMENT_SECONDS =
            Topic.MAIL_INBOUND.segmentSpan().plusSeconds(10).toSeconds();

    private final String brokers = TestTopic.brokers();
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", brokers));
    private final Producer<String, byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", brokers), new StringSerializer(), new ByteArraySerializer());
    private final String marker = "marker-" + UUID.randomUUID();
    private final TopicPartition partition = new TopicPartition("replay-" + UUID.randomUUID(), 0);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @AfterEach
    void close() {
        producer.close();
        admin.close();
    }

    @Test
    void whatWasStoredIsDeletedWhenItLeavesTheWindow() throws Exception {
        topicWith(5);
        ReplayWindow window = window(admin, FIVE_MINUTES);

        window.stored(before(2));
        window.move();
        now = now.plusSeconds(100);
        window.stored(before(4));
        window.move();
        assertThat(firstOffset()).isZero();

        moveAfter(199, window);
        moveAfter(10, window);

        await().untilAsserted(() -> assertThat(firstOffset()).isEqualTo(2));

        moveAfter(100, window);

        await().untilAsserted(() -> assertThat(firstOffset()).isEqualTo(4));
    }

    @Test
    void nothingIsDeletedASecondBeforeItLeavesTheWindow() throws Exception {
        topicWith(3);
        ReplayWindow window = window(admin, FIVE_MINUTES);
        window.stored(before(3));
        window.move();

        now = now.plus(FIVE_MINUTES).minusSeconds(1);
        window.move();

        // A deletion by another window reaches the same broker after this one's.
        ReplayWindow other = window(admin, Duration.ZERO);
        other.stored(before(1));
        other.move();
        await().untilAsserted(() -> assertThat(firstOffset()).isEqualTo(1));
    }

    /** The brokers do not respond, or no name of a broker can be resolved. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDeletionThatFailedIsTriedAgain(boolean namesAreKnown) throws Exception {
        topicWith(3);
        try (Admin failing = new FailingOnce(brokers, namesAreKnown)) {
            ReplayWindow window = window(failing, Duration.ZERO);
            window.stored(before(2));
            window.move();
            assertThat(firstOffset()).isZero();

            moveAfter(1, window);

            await().untilAsserted(() -> assertThat(firstOffset()).isEqualTo(2));
        }
    }

    /** No mail follows these, and the broker has no other reason to delete their file. */
    @Test
    void whatWasDeletedLeavesTheFilesOfAQuietPartition() throws Exception {
        topicWith(3);
        ReplayWindow window = window(admin, Duration.ZERO);
        window.stored(before(3));
        window.move();
        await().untilAsserted(() -> assertThat(firstOffset()).isEqualTo(3));
        assertThat(TestTopic.filesWith(partition.topic(), marker)).isPositive();

        moveAfter(SEGMENT_SECONDS, window);

        await().until(() -> TestTopic.filesWith(partition.topic(), marker) == 0);
        assertThat(endOffset()).isEqualTo(4);
    }

    @Test
    void emptyRecordHasNoOtherFollowIt() throws Exception {
        topicWith(1);
        ReplayWindow window = window(admin, Duration.ZERO);
        window.stored(before(1));
        moveAfter(SEGMENT_SECONDS, window);
        await().untilAsserted(() -> assertThat(endOffset()).isEqualTo(2));

        window.stored(before(2));
        moveAfter(SEGMENT_SECONDS, window);
        producer.flush();

        assertThat(endOffset()).isEqualTo(2);
    }

    @Test
    void segmentThatStillGetsMailIsLeftToThat() throws Exception {
        topicWith(2);
        ReplayWindow window = window(admin, Duration.ZERO);
        window.stored(before(1));
        now = now.plusSeconds(10);
        window.stored(before(2));
        moveAfter(SEGMENT_SECONDS - 1, window);
        producer.flush();

        assertThat(endOffset()).isEqualTo(2);
    }

    @Test
    void emptyRecordThatFailedIsWrittenAgain() throws Exception {
        topicWith(1);
        AtomicInteger asked = new AtomicInteger();
        ReplayWindow window = window(
                admin,
                Duration.ZERO,
                empty -> asked.getAndIncrement() == 0
                        ? Uni.createFrom().failure(new KafkaException("no broker's name can be resolved"))
                        : written(empty));
        window.stored(before(1));
        moveAfter(SEGMENT_SECONDS, window);
        assertThat(endOffset()).isEqualTo(1);

        moveAfter(1, window);

        await().untilAsserted(() -> assertThat(endOffset()).isEqualTo(2));
    }

    private void moveAfter(long seconds, ReplayWindow window) {
        now = now.plusSeconds(seconds);
        window.move();
    }

    private ReplayWindow window(Admin admin, Duration length) {
        return window(admin, length, this::written);
    }

    private ReplayWindow window(
            Admin admin, Duration length, Function<ProducerRecord<String, byte[]>, Uni<RecordMetadata>> broker) {
        InboxConfig config = TestSettings.of(InboxConfig.class, "replay-window=" + length);
        return new ReplayWindow(admin, TestBean.unused(KafkaClientService.class), config, this::nanos) {
            @Override
            Uni<RecordMetadata> write(ProducerRecord<String, byte[]> empty) {
                return broker.apply(empty);
            }
        };
    }

    private long nanos() {
        return Duration.between(Instant.EPOCH, now).toNanos();
    }

    private Uni<RecordMetadata> written(ProducerRecord<String, byte[]> empty) {
        return Uni.createFrom().future(producer.send(empty), Duration.ofSeconds(30));
    }

    private long endOffset() throws InterruptedException, ExecutionException {
        return offset(OffsetSpec.latest());
    }

    private long firstOffset() throws InterruptedException, ExecutionException {
        return offset(OffsetSpec.earliest());
    }

    private long offset(OffsetSpec end) throws InterruptedException, ExecutionException {
        return admin.listOffsets(Map.of(partition, end))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private Map<TopicPartition, OffsetAndMetadata> before(long offset) {
        return Map.of(partition, new OffsetAndMetadata(offset));
    }

    private void topicWith(int records) throws Exception {
        Map<String, String> shortTimes = Map.of("segment.ms", "1", "file.delete.delay.ms", "0");
        admin.createTopics(List.of(new NewTopic(partition.topic(), 1, (short) 1).configs(shortTimes)))
                .all()
                .get();
        byte[] mail = marker.getBytes(ISO_8859_1);
        // With the same time, so that they are in one segment.
        long time = System.currentTimeMillis() - 1_000;
        for (int i = 0; i < records; i++) {
            producer.send(new ProducerRecord<>(partition.topic(), 0, time, "key", mail))
                    .get();
        }
    }

    /** A real one, except for its first deletion. */
    private static final class FailingOnce extends ForwardingAdmin {

        private final boolean namesAreKnown;
        private boolean failed;

        FailingOnce(String brokers, boolean namesAreKnown) {
            super(Map.of("bootstrap.servers", brokers));
            this.namesAreKnown = namesAreKnown;
        }

        @Override
        public DeleteRecordsResult deleteRecords(
                Map<TopicPartition, RecordsToDelete> recordsToDelete, DeleteRecordsOptions options) {
            if (failed) {
                return super.deleteRecords(recordsToDelete, options);
            }
            failed = true;
            if (!namesAreKnown) {
                throw new KafkaException("no broker's name can be resolved");
            }
            KafkaFutureImpl<DeletedRecords> failure = new KafkaFutureImpl<>();
            failure.completeExceptionally(new TimeoutException("the brokers are away"));
            return new DeleteRecordsResult(
                    recordsToDelete.keySet().stream().collect(Collectors.toMap(Function.identity(), _ -> failure)));
        }
    }
}
