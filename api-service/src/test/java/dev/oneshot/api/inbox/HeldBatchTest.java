package dev.oneshot.api.inbox;

import static dev.oneshot.api.TestAccount.management;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.OtherSettings;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.backends.quarkus.PostgresResource;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A batch that cannot be stored is held for longer than Kafka's poll interval. */
@ServiceTest
@TestProfile(OtherSettings.class)
class HeldBatchTest {

    private static final String GROUP = "oneshot-api";
    private static final int CONSUMERS = 2;
    private static final int MAILS = 40;

    private final String brokers = TestTopic.brokers();
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", brokers));
    private final TestAccount account = TestAccount.onPlan("scale");

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void consumerStaysInTheGroupForAsLongAsTheDatabaseIsAway() throws Exception {
        List<String> ids = addresses();
        Set<String> members = membersOnceStable();

        PostgresResource.stopServer();
        try {
            ids.forEach(id -> TestMail.publish(TestMail.event(id, TestMail.SIMPLE)));
            awaitFailedTries(6, OtherSettings.POLL_INTERVAL.plusSeconds(5));

            assertThat(group().members())
                    .extracting(MemberDescription::consumerId)
                    .containsExactlyInAnyOrderElementsOf(members);
            management().get("/q/health/live").then().statusCode(200);
            management().get("/q/health/started").then().statusCode(200);
        } finally {
            PostgresResource.startServer();
        }

        ids.forEach(account::awaitReceived);
        awaitCommitted(ends());
        management().get("/q/health/live").then().statusCode(200);
    }

    @Test
    void heldBatchIsStoredAndWhatAnotherConsumerOwnsByThenIsNotSetBack() throws Exception {
        List<ProducerRecord<String, byte[]>> mails = mailsOfAllPartitions(addresses());
        membersOnceStable();
        Set<TopicPartition> taken;
        Map<TopicPartition, OffsetAndMetadata> further;

        PostgresResource.stopServer();
        try (KafkaConsumer<String, byte[]> other = otherMember()) {
            try {
                TestMail.publishRecords(mails);
                awaitFailedTries(1, Duration.ZERO);
                other.subscribe(List.of(Topic.MAIL_INBOUND.topicName()));
                await().until(() -> {
                    var _ = other.poll(Duration.ofMillis(100));
                    return !other.assignment().isEmpty();
                });
                taken = Set.copyOf(other.assignment());
                // The other consumer has also stored the next records of its partitions.
                further = ends().entrySet().stream()
                        .filter(end -> taken.contains(end.getKey()))
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                end -> new OffsetAndMetadata(end.getValue().offset() + 1)));
                other.commitSync(further);
            } finally {
                PostgresResource.startServer();
            }

            // The mail of its partitions is the other consumer's to store, unless it was in a held batch.
            mails.stream()
                    .filter(mail -> !taken.contains(new TopicPartition(mail.topic(), mail.partition())))
                    .map(ProducerRecord::key)
                    .forEach(account::awaitReceived);
            Map<TopicPartition, OffsetAndMetadata> kept = ends();
            kept.keySet().removeAll(taken);
            awaitCommitted(kept);
            assertThat(committed()).containsAllEntriesOf(further);
            other.commitSync(ends());
        }
    }

    private KafkaConsumer<String, byte[]> otherMember() {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        brokers,
                        "group.id",
                        GROUP,
                        "enable.auto.commit",
                        false,
                        "auto.offset.reset",
                        "earliest",
                        "partition.assignment.strategy",
                        CooperativeStickyAssignor.class.getName()),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }

    private List<String> addresses() {
        return IntStream.range(0, MAILS)
                .mapToObj(_ -> account.waitingAddress(3600))
                .toList();
    }

    private static List<ProducerRecord<String, byte[]>> mailsOfAllPartitions(List<String> ids) {
        return IntStream.range(0, ids.size())
                .mapToObj(i -> new ProducerRecord<>(
                        Topic.MAIL_INBOUND.topicName(),
                        i % TestMail.PARTITIONS,
                        ids.get(i),
                        EventCodec.encode(TestMail.event(ids.get(i), TestMail.SIMPLE))))
                .toList();
    }

    private static void awaitFailedTries(int tries, Duration atLeast) {
        double before = TestMetrics.sum("oneshot_inbox_postponed_total");
        Instant until = Instant.now().plus(atLeast);
        await().until(() -> TestMetrics.sum("oneshot_inbox_postponed_total") >= before + tries
                && Instant.now().isAfter(until));
    }

    private void awaitCommitted(Map<TopicPartition, OffsetAndMetadata> offsets) {
        await().untilAsserted(() -> assertThat(committed()).containsAllEntriesOf(offsets));
    }

    private Map<TopicPartition, OffsetAndMetadata> committed() throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata().get().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        offset -> new OffsetAndMetadata(offset.getValue().offset())));
    }

    /** The end offsets of the partitions with records. */
    private Map<TopicPartition, OffsetAndMetadata> ends() {
        try (KafkaConsumer<String, byte[]> consumer = otherMember()) {
            List<TopicPartition> partitions = consumer.partitionsFor(Topic.MAIL_INBOUND.topicName()).stream()
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            return consumer.endOffsets(partitions).entrySet().stream()
                    .filter(end -> end.getValue() > 0)
                    .collect(Collectors.toMap(Map.Entry::getKey, end -> new OffsetAndMetadata(end.getValue())));
        }
    }

    private ConsumerGroupDescription group() throws ExecutionException, InterruptedException {
        return Objects.requireNonNull(
                admin.describeConsumerGroups(List.of(GROUP)).all().get().get(GROUP));
    }

    private Set<String> membersOnceStable() throws ExecutionException, InterruptedException {
        await().until(() ->
                group().groupState() == GroupState.STABLE && group().members().size() == CONSUMERS);
        return group().members().stream().map(MemberDescription::consumerId).collect(Collectors.toSet());
    }
}
