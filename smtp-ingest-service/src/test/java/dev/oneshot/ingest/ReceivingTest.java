package dev.oneshot.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.content.MailContent;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.ingest.net.SmtpServer;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.testing.LogLines;
import dev.oneshot.testing.SmtpClient;
import dev.oneshot.testing.TopicRecords;
import io.opentelemetry.api.trace.Span;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The service with a real broker: from the socket to the record. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
class ReceivingTest {

    private static final String DOMAIN = "@in.oneshot.localhost";
    private static final long SCALE_BYTES_MAX = 32 * 1024 * 1024;
    private static final byte[] MESSAGE = """
            From: Alice <alice@example.org>
            Subject: Hello

            Is anybody there?
            """.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);

    private final SmtpServer server;
    private final AddressIdCodec codec;
    private final String brokers;

    ReceivingTest(
            SmtpServer server, AddressIdCodec codec, @ConfigProperty(name = "kafka.bootstrap.servers") String brokers) {
        this.server = server;
        this.codec = codec;
        this.brokers = brokers;
    }

    @BeforeEach
    void awaitThatMailIsTaken() {
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            try (SmtpClient client = SmtpClient.greeted(server.port())) {
                assertThat(client.send(newAddress() + DOMAIN, MESSAGE)).startsWith("250 2.0.0 ");
            }
        });
    }

    @Test
    void everyRecipientGetsItsOwnRecordOfOneTrace() throws Exception {
        List<String> ids = List.of(newAddress(), newAddress(), newAddress());
        String other = newAddress();

        try (SmtpClient client = SmtpClient.greeted(server.port())) {
            send(client, ids, MESSAGE);
            assertThat(client.send(other + DOMAIN, MESSAGE)).startsWith("250 ");
        }

        for (String id : ids) {
            MailInbound mail = onlyMailOf(id);
            assertThat(mail.from()).isEqualTo("alice@example.org");
            assertThat(new String(plain(mail), StandardCharsets.UTF_8)).doesNotContain("\tfor <");
            assertThat(traceIdOf(id)).isEqualTo(traceIdOf(ids.getFirst())).isNotEqualTo(traceIdOf(other));
        }
    }

    /** Who delivered it, and nothing of its content. */
    @Test
    void oneLineOfTheLogSaysWhereAMailCameFrom() throws IOException {
        String id = newAddress();
        try (LogLines log = LogLines.of("dev.oneshot.ingest.delivery");
                SmtpClient client = SmtpClient.greeted(server.port())) {
            assertThat(client.send(id + DOMAIN, MESSAGE)).startsWith("250 ");
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .matches("INFO mail received addressId=" + id
                            + " client=127\\.0\\.0\\.1 senderDomain=example\\.org bytes=\\d+ tls=none"
                            + " transaction=\\S+ ");
        }
    }

    @Test
    void largeMailForSeveralRecipientsIsStoredForEach() throws Exception {
        byte[] message = ("Subject: large\r\n\r\n" + "a line of a large mail\r\n".repeat(400_000))
                .getBytes(StandardCharsets.US_ASCII);
        List<String> ids = Stream.generate(this::newAddress).limit(12).toList();

        try (SmtpClient client = SmtpClient.greeted(server.port())) {
            send(client, ids, message);
        }

        assertThat(plain(onlyMailOf(ids.getFirst()))).endsWith(message);
        assertThat(plain(onlyMailOf(ids.getLast()))).endsWith(message);
    }

    @Test
    void addressClosedOnAPartitionAddedLaterIsRefused() throws Exception {
        AddressId used = newId();
        String topic = Topic.ADDRESS_CLOSED.topicName();
        byte[] value =
                EventCodec.encode(new AddressClosed(used.text(), AddressClosed.Reason.RECEIVED, used.expiresBy()));
        int added;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            added = partitions(admin, topic);
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(added + 1)))
                    .all()
                    .get();
            await().atMost(Duration.ofMinutes(2)).until(() -> partitions(admin, topic) > added);
        }

        TopicRecords.publish(brokers, List.of(new ProducerRecord<>(topic, added, used.text(), value)));

        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            try (SmtpClient client = SmtpClient.greeted(server.port())) {
                assertThat(client.begin(used + DOMAIN)).startsWith("550 5.2.1 ");
            }
        });
    }

    private static int partitions(Admin admin, String topic) throws Exception {
        return admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
                .mapToInt(description -> description.partitions().size())
                .sum();
    }

    private static void send(SmtpClient client, List<String> ids, byte[] message) throws IOException {
        List<String> mailboxes = ids.stream().map(id -> id + DOMAIN).toList();
        assertThat(client.send("", mailboxes, message)).startsWith("250 ");
    }

    private String newAddress() {
        return newId().text();
    }

    private AddressId newId() {
        return codec.issue(
                SizeClass.ofMessageBytesMax(SCALE_BYTES_MAX), Instant.now().plusSeconds(3600));
    }

    private ConsumerRecord<String, byte[]> onlyRecordOf(String id) {
        List<ConsumerRecord<String, byte[]>> records = TopicRecords.read(brokers, Topic.MAIL_INBOUND.topicName(), id);
        assertThat(records).hasSize(1);
        return records.getFirst();
    }

    private MailInbound onlyMailOf(String id) throws EventFormatException {
        return (MailInbound) EventCodec.decodeInbound(onlyRecordOf(id).value());
    }

    /** The structure and the message. */
    private static byte[] plain(MailInbound mail) throws EventFormatException {
        MailContent index = MailContent.read(mail.content());
        return index.decode(
                0, index.frames(), mail.content().array(), mail.content().offset() + index.begin(0));
    }

    private String traceIdOf(String id) {
        return Span.fromContext(TraceContext.of(onlyRecordOf(id).headers()))
                .getSpanContext()
                .getTraceId();
    }
}
