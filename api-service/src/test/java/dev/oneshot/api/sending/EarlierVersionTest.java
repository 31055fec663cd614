package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestTopic;
import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.LeaseExtended;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.SendLease;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.TraceContext;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** This version sends all mail that the previous one accepted, from its table and its topics, and none of it twice. */
@ServiceTest
class EarlierVersionTest {

    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(60);

    private static final Map<String, Object> KAFKA =
            Map.of("bootstrap.servers", ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class));

    private final Database database;
    private final Settlements settlements;
    private final DueMails dueMails;
    private final TestAccount account = TestAccount.onPlan("pro");
    private Instant now = Instant.now();

    EarlierVersionTest(Database database, Settlements settlements, DueMails dueMails) {
        this.database = database;
        this.settlements = settlements;
        this.dueMails = dueMails;
    }

    @Test
    void rowsOfItsOutboxAreSent() throws Exception {
        String id = account.waitingAddress(600);

        insertRow(id);

        await().atMost(STEP_TIMEOUT)
                .until(() -> TestTopic.read(Topic.MAIL_DUE, id).size() == 1);
        assertThat(trace(id)).as("its trace begins here").isPresent();
        assertThat(count("outbox", id)).isZero();
        assertThat(count("send_outbox", id)).isEqualTo(1);
    }

    /** The deletion did not find the row, as a replica of that version had locked it for publishing. */
    @Test
    void aRowWhoseAddressIsGoneIsSettledAsDeleted() throws Exception {
        String gone = UUID.randomUUID().toString();

        insertRow(gone);

        await().atMost(STEP_TIMEOUT).until(() -> settled(gone, "DELETED") == 1);
        assertThat(TestTopic.read(Topic.MAIL_DUE, gone)).isEmpty();
    }

    @Test
    void requestsOnItsTopicsAreSentUnlessTheyWereDone() throws Exception {
        String requested = account.waitingAddress(600);
        String done = account.waitingAddress(600);
        String settled = account.waitingAddress(600);
        String gone = "a".repeat(24);
        String retried = account.waitingAddress(600);
        TestDatabase.update(
                "INSERT INTO send_settlement (address_id, outcome, attempts, settled_at)"
                        + " VALUES (?, 'RELAYED', 1, now())",
                settled);
        TopicPartition partition = new TopicPartition("mail.requested", 0);
        Instant dueAt = Instant.now().minusSeconds(1);
        try (Admin admin = Admin.create(KAFKA)) {
            admin.createTopics(List.of(
                            new NewTopic("mail.requested", 1, (short) 1),
                            new NewTopic("mail.retry.long", 1, (short) 1)))
                    .all()
                    .get();
            // As a mailer commits that has processed the second record, and not the first.
            BitSet bits = new BitSet();
            bits.set(1);
            String metadata = "1:" + Base64.getEncoder().encodeToString(bits.toByteArray());
            admin.alterConsumerGroupOffsets("oneshot-mailer", Map.of(partition, new OffsetAndMetadata(0, metadata)))
                    .all()
                    .get();
            try (KafkaProducer<String, byte[]> producer =
                    new KafkaProducer<>(KAFKA, new StringSerializer(), new ByteArraySerializer())) {
                for (String id : List.of(requested, done, settled, gone)) {
                    producer.send(new ProducerRecord<>("mail.requested", id, request(id)))
                            .get();
                }
                ProducerRecord<String, byte[]> retry =
                        new ProducerRecord<>("mail.retry.long", retried, request(retried));
                retry.headers().add("oneshot-attempts", "7".getBytes(StandardCharsets.US_ASCII));
                retry.headers()
                        .add(
                                "oneshot-not-before",
                                Long.toString(dueAt.toEpochMilli()).getBytes(StandardCharsets.US_ASCII));
                producer.send(retry).get();
            }
            EarlierTopics topics = topics();
            topics.move();
            now = now.plusSeconds(60);
            topics.move();

            await().atMost(STEP_TIMEOUT)
                    .until(() -> TestTopic.read(Topic.MAIL_DUE, requested).size() == 1
                            && TestTopic.read(Topic.MAIL_DUE, retried).size() == 1
                            && settled(gone, "DELETED") == 1);
            await().atMost(STEP_TIMEOUT)
                    .until(() -> admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                                    .partitionResult(partition)
                                    .get()
                                    .offset()
                            == 4);
        }
        assertThat(lease(retried)).extracting(SendLease::attempts).isEqualTo(7);
        for (String id : List.of(done, settled, gone)) {
            assertThat(TestTopic.read(Topic.MAIL_DUE, id)).as(id).isEmpty();
        }
    }

    @Test
    void whileItsLastMailerMayComeBackItsTopicsAreLeftAlone() throws Exception {
        EarlierTopics topics = topics();
        String id = account.waitingAddress(600);
        try (Admin admin = Admin.create(KAFKA);
                KafkaProducer<String, byte[]> producer =
                        new KafkaProducer<>(KAFKA, new StringSerializer(), new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic("mail.retry.medium", 1, (short) 1)))
                    .all()
                    .get();
            producer.send(new ProducerRecord<>("mail.retry.medium", id, request(id)))
                    .get();

            topics.move();
            now = now.plusSeconds(59);
            try (KafkaConsumer<String, byte[]> _ = member("oneshot-mailer.mail.retry.medium", "mail.retry.medium")) {
                topics.move();
            }
            topics.move();
            now = now.plusSeconds(59);
            topics.move();
            assertThat(count("send_outbox", id)).isZero();

            now = now.plusSeconds(1);
            topics.move();
            assertThat(count("send_outbox", id)).isEqualTo(1);
        }
    }

    @Test
    void itsReplicasTakeNoExtensionsOfLeasesAway() throws Exception {
        Instant leased = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.MILLIS);
        Instant extended = leased.plusSeconds(30);
        try (KafkaConsumer<String, byte[]> earlier = member("oneshot-api-settled", Topic.MAIL_SETTLED.topicName());
                KafkaProducer<String, byte[]> producer =
                        new KafkaProducer<>(KAFKA, new StringSerializer(), new ByteArraySerializer())) {
            for (TopicPartition partition : earlier.assignment()) {
                String id = account.waitingAddress(600);
                insertLeased(id, leased);
                producer.send(new ProducerRecord<>(
                                partition.topic(),
                                partition.partition(),
                                id,
                                EventCodec.encode(new LeaseExtended(id, leased, extended))))
                        .get();
                await().atMost(STEP_TIMEOUT)
                        .until(() -> TestDatabase.count(
                                        "SELECT count(*) FROM send_outbox WHERE address_id = ? AND leased_until = '"
                                                + extended + "'",
                                        id)
                                == 1);
            }
        }
    }

    private EarlierTopics topics() {
        return new EarlierTopics(database, settlements, dueMails, new OutboxSignal(), KAFKA, () -> now);
    }

    /** A consumer in this group with partitions of this topic. */
    private static KafkaConsumer<String, byte[]> member(String group, String topic) {
        Map<String, Object> settings = new HashMap<>(KAFKA);
        settings.put("group.id", group);
        settings.put("enable.auto.commit", false);
        KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(List.of(topic));
        await().atMost(STEP_TIMEOUT).until(() -> {
            consumer.poll(Duration.ofMillis(100));
            return !consumer.assignment().isEmpty();
        });
        return consumer;
    }

    private static void insertLeased(String id, Instant leasedUntil) throws Exception {
        try (Connection connection = TestDatabase.connect();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO send_outbox (address_id, value, expires_at, leased_until)"
                                + " VALUES (?, '', now() + interval '1 hour', ?)")) {
            insert.setString(1, id);
            insert.setTimestamp(2, Timestamp.from(leasedUntil));
            insert.executeUpdate();
        }
    }

    private static @Nullable SendLease lease(String id) {
        ConsumerRecord<String, byte[]> record =
                TestTopic.read(Topic.MAIL_DUE, id).getFirst();
        return SendLease.of(record.headers()).orElse(null);
    }

    private static Optional<TraceContext> trace(String id) {
        byte[] traceparent = TestTopic.read(Topic.MAIL_DUE, id)
                .getFirst()
                .headers()
                .lastHeader(TraceContext.HEADER)
                .value();
        return TraceContext.parse(new String(traceparent, StandardCharsets.US_ASCII));
    }

    private static void insertRow(String id) throws Exception {
        try (Connection connection = TestDatabase.connect();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO outbox (topic, address_id, value, expires_at, traceparent)"
                                + " VALUES ('mail.requested', ?, ?, now() + interval '1 hour', NULL)")) {
            insert.setString(1, id);
            insert.setBytes(2, request(id));
            insert.executeUpdate();
        }
    }

    private static byte[] request(String id) {
        Instant now = Instant.now();
        return EventCodec.encode(new MailRequested(
                id, id + "@out.example.org", "ada@example.org", "s", null, null, List.of(), now, now.plusSeconds(600)));
    }

    private static long count(String table, String id) {
        return TestDatabase.count("SELECT count(*) FROM " + table + " WHERE address_id = ?", id);
    }

    private static long settled(String id, String outcome) {
        return TestDatabase.count(
                "SELECT count(*) FROM send_settlement WHERE outcome = '" + outcome + "' AND address_id = ?", id);
    }
}
