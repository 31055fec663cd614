package dev.oneshot.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.ingest.net.SmtpServer;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.testing.SmtpClient;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
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
            client.say("MAIL FROM:<>");
            for (String id : ids) {
                assertThat(client.say("RCPT TO:<" + id + DOMAIN + ">")).startsWith("250 ");
            }
            client.say("DATA");
            client.write(MESSAGE);
            assertThat(client.say(".")).startsWith("250 ");
            assertThat(client.send(other + DOMAIN, MESSAGE)).startsWith("250 ");
        }

        for (String id : ids) {
            MailInbound mail = onlyMailOf(id);
            assertThat(mail.reversePath()).isEmpty();
            assertThat(new String(mail.raw().toByteArray(), StandardCharsets.UTF_8))
                    .doesNotContain("\tfor <");
            assertThat(traceIdOf(id)).isEqualTo(traceIdOf(ids.getFirst())).isNotEqualTo(traceIdOf(other));
        }
    }

    @Test
    void largeMailForSeveralRecipientsIsStoredForEach() throws Exception {
        byte[] message = largeMessage(9 * 1024 * 1024);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            ids.add(newAddress());
        }

        try (SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("MAIL FROM:<> SIZE=" + message.length);
            for (String id : ids) {
                assertThat(client.say("RCPT TO:<" + id + DOMAIN + ">")).startsWith("250 ");
            }
            client.say("DATA");
            client.write(message);
            assertThat(client.say(".")).startsWith("250 ");
        }

        assertThat(onlyMailOf(ids.getFirst()).raw().toByteArray()).endsWith(message);
        assertThat(onlyMailOf(ids.getLast()).raw().toByteArray()).endsWith(message);
    }

    @Test
    void addressClosedOnAPartitionAddedLaterIsRefused() throws Exception {
        AddressId used = newId();
        int before = partitionsOfClosed();
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers))) {
            admin.createPartitions(Map.of(Topic.ADDRESS_CLOSED.topicName(), NewPartitions.increaseTo(before + 1)))
                    .all()
                    .get();
        }
        await().until(() -> partitionsOfClosed() == before + 1);

        close(used, before);

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(replyToRcpt(used + DOMAIN)).startsWith("550 5.2.1 "));
    }

    private String traceIdOf(String id) {
        ConsumerRecord<String, byte[]> record =
                InboundTopic.recordsOf(id, brokers).getFirst();
        byte[] value = Objects.requireNonNull(record.headers().lastHeader(TraceContext.HEADER))
                .value();
        return TraceContext.parse(new String(value, StandardCharsets.US_ASCII))
                .orElseThrow()
                .traceId();
    }

    private String newAddress() {
        return newId().text();
    }

    private AddressId newId() {
        return codec.issue(
                SizeClass.ofMessageBytesMax(SCALE_BYTES_MAX), Instant.now().plusSeconds(3600));
    }

    private String replyToRcpt(String mailbox) throws Exception {
        try (SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("MAIL FROM:<>");
            return client.say("RCPT TO:<" + mailbox + ">");
        }
    }

    private MailInbound onlyMailOf(String id) throws Exception {
        List<MailInbound> mails = InboundTopic.mailsOf(id, brokers);
        assertThat(mails).hasSize(1);
        return mails.getFirst();
    }

    private void close(AddressId id, int partition) throws Exception {
        byte[] value = EventCodec.encode(new AddressClosed(id.text(), AddressClosed.Reason.RECEIVED, id.expiresBy()));
        try (KafkaProducer<String, byte[]> producer = producer()) {
            producer.send(new ProducerRecord<>(Topic.ADDRESS_CLOSED.topicName(), partition, id.text(), value))
                    .get();
        }
    }

    private int partitionsOfClosed() {
        try (KafkaProducer<String, byte[]> producer = producer()) {
            return producer.partitionsFor(Topic.ADDRESS_CLOSED.topicName()).size();
        }
    }

    private KafkaProducer<String, byte[]> producer() {
        return new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    /** Lines of base64 under a header, ending with CRLF. */
    private static byte[] largeMessage(int octets) {
        StringBuilder text = new StringBuilder(octets + 100).append("Subject: large\r\n\r\n");
        Random random = new Random(1);
        byte[] line = new byte[57];
        while (text.length() < octets) {
            random.nextBytes(line);
            text.append(java.util.Base64.getEncoder().encodeToString(line)).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
