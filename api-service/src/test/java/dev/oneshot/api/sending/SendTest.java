package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ServiceTest
class SendTest {

    private final TestAccount account = TestAccount.onPlan("pro");

    @Test
    void aSentAddressIsAnsweredAndItsRequestReachesKafka() throws EventFormatException {
        Response created = account.create("""
                {"mode":"send","label":"out","send":{"to":"ada@example.org","subject":"Grüße","text_body":"Hallo",
                 "html_body":"<p>","attachments":[{"filename":"a.bin","content_type":"application/pdf",
                 "content_base64":"AP8="}]}}""");

        created.then()
                .statusCode(201)
                .body("mode", equalTo("send"))
                .body("status", equalTo("sent"))
                .body("send_to", equalTo("ada@example.org"))
                .body("address", equalTo(created.path("id") + "@out.oneshot.localhost"));
        String id = created.path("id");
        MailRequested request = EventCodec.decodeMailRequested(
                awaitOne(Topic.MAIL_REQUESTED, id).value());
        assertThat(request.from()).isEqualTo(id + "@out.oneshot.localhost");
        assertThat(request.to()).isEqualTo("ada@example.org");
        assertThat(request.subject()).isEqualTo("Grüße");
        assertThat(request.textBody()).isEqualTo(octets("Hallo"));
        assertThat(request.htmlBody()).isEqualTo(octets("<p>"));
        assertThat(request.attachments())
                .containsExactly(
                        new MailRequested.Attachment("a.bin", "application/pdf", Octets.of(new byte[] {0, -1})));
        assertThat(request.expiresAt()).isEqualTo(Instant.parse(created.path("expires_at")));
        await().untilAsserted(() -> assertThat(waiting(id)).isZero());
    }

    @Test
    void aSendAddressHasNoMailToRead() {
        String id = account.create(send("\"a@b.example\"", "\"s\"", "[]")).path("id");

        account.request().get("/v1/addresses/" + id).then().statusCode(200).body("email", nullValue());
        account.request().get("/v1/addresses/" + id + "/email").then().statusCode(404);
        account.request().get("/v1/addresses/" + id + "/email/raw").then().statusCode(404);
    }

    @ParameterizedTest
    @CsvSource({
        "'',''",
        "//79,fffefd",
        "\\/\\/79,fffefd",
        "\\u002B+==,fb",
        "aGk\\u003d,6869",
        "\\u0061Gk=,6869",
        "YWI=,6162",
        "YWJ=,6162"
    })
    void everyWritingOfBase64InJsonIsRead(String base64, String hex) throws EventFormatException {
        String file = "{\"filename\":\"a\",\"content_type\":\"a/b\",\"content_base64\":\"" + base64 + "\"}";

        Response created = account.create(send("\"a@b.example\"", "\"s\"", "[" + file + "]"));

        created.then().statusCode(201);
        MailRequested request = EventCodec.decodeMailRequested(
                awaitOne(Topic.MAIL_REQUESTED, created.path("id")).value());
        assertThat(request.attachments().getFirst().content().toByteArray())
                .isEqualTo(HexFormat.of().parseHex(hex));
    }

    @Test
    void nullIsAbsentAndWhatIsUnknownIsIgnored() throws EventFormatException {
        Response created = account.create("""
                {"mode":"send","label":null,"ttl_seconds":null,"later":1,
                 "send":{"to":"ada@bücher.example","subject":"","text_body":null,"html_body":null,"cc":["x"],
                  "attachments":[{"filename":"a","content_type":"a/b; c=\\"d\\"","content_base64":"","inline":true}]}}""");

        created.then().statusCode(201);
        MailRequested request = EventCodec.decodeMailRequested(
                awaitOne(Topic.MAIL_REQUESTED, created.path("id")).value());
        assertThat(request.to()).isEqualTo("ada@bücher.example");
        assertThat(request.textBody()).isNull();
        assertThat(request.htmlBody()).isNull();
        assertThat(request.attachments()).hasSize(1);
        account.create("{\"mode\":\"send\",\"send\":{\"to\":\"a@b.example\",\"subject\":\"s\",\"attachments\":null}}")
                .then()
                .statusCode(201);
    }

    @Test
    void whileKafkaIsAwayRequestsWaitAndThenLeave() {
        KafkaResource.stopBroker();
        String id;
        try {
            Response created = account.create(send("\"a@b.example\"", "\"s\"", "[]"));
            created.then().statusCode(201);
            id = created.path("id");
            assertThat(waiting(id)).isEqualTo(1);
        } finally {
            KafkaResource.startBroker();
        }

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(waiting(id)).isZero());
        assertThat(TestTopic.read(Topic.MAIL_REQUESTED, id)).isNotEmpty();
    }

    @Test
    void aDeletedAddressIsAnnouncedToTheMailer() throws EventFormatException {
        String id = account.create(send("\"a@b.example\"", "\"s\"", "[]")).path("id");

        account.request().delete("/v1/addresses/" + id).then().statusCode(204);

        AddressClosed closed = EventCodec.decodeAddressClosed(
                awaitOne(Topic.ADDRESS_CLOSED, id).value());
        assertThat(closed.reason()).isEqualTo(AddressClosed.Reason.DELETED);
    }

    @Test
    void anEndIsRecordedOnceAndShownToTheOperator() throws ExecutionException, InterruptedException {
        String id = account.create(send("\"a@b.example\"", "\"s\"", "[]")).path("id");
        Instant now = Instant.now();
        settle(
                id,
                new MailSettled(
                        id,
                        MailSettled.Outcome.REFUSED,
                        MailSettled.Failure.REPLY,
                        new MailSettled.Reply(550, "5.1.1"),
                        1,
                        now.minusSeconds(1),
                        now));
        settle(
                id,
                new MailSettled(
                        id, MailSettled.Outcome.GIVEN_UP, null, null, 9, now.minusSeconds(1), now.minusSeconds(5)));

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> TestAccount.operator()
                        .get("/operator/sends?address_id=" + id)
                        .then()
                        .statusCode(200)
                        .body("items.size()", equalTo(1))
                        .body("items[0].outcome", equalTo("refused"))
                        .body("items[0].failure", equalTo("reply"))
                        .body("items[0].reply_code", equalTo(550))
                        .body("items[0].enhanced_status", equalTo("5.1.1"))
                        .body("items[0].attempts", equalTo(1))
                        .body("items[0].account_id", equalTo(account.id())));
        TestAccount.operator().get("/operator/sends?outcome=lost").then().statusCode(400);
    }

    @Test
    void anEndThatCannotBeReadIsDeadLettered() throws ExecutionException, InterruptedException {
        String key = "unreadable" + System.nanoTime();
        send(new ProducerRecord<>(Topic.MAIL_SETTLED.topicName(), key, new byte[] {9}));

        assertThat(awaitOne(Topic.MAIL_SETTLED_DLQ, key).headers().lastHeader(Topic.DEAD_LETTER_REASON_HEADER))
                .isNotNull();
    }

    /** PostgreSQL has no U+0000 in text. */
    @Test
    void anEndThatCannotBeStoredIsDeadLetteredAndHoldsNobodyUp() throws ExecutionException, InterruptedException {
        String key = "unstorable" + System.nanoTime();
        Instant now = Instant.now();
        settle(key, new MailSettled(key + '\0', MailSettled.Outcome.RELAYED, null, null, 1, now, now));
        settle(key, new MailSettled(key, MailSettled.Outcome.RELAYED, null, null, 1, now, now));

        assertThat(awaitOne(Topic.MAIL_SETTLED_DLQ, key).headers().lastHeader(Topic.DEAD_LETTER_REASON_HEADER))
                .isNotNull();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> TestDatabase.count("SELECT count(*) FROM send_settlement WHERE address_id = ?", key) == 1);
    }

    private static void settle(String id, MailSettled event) throws ExecutionException, InterruptedException {
        send(new ProducerRecord<>(Topic.MAIL_SETTLED.topicName(), id, EventCodec.encode(event)));
    }

    private static void send(ProducerRecord<String, byte[]> event) throws ExecutionException, InterruptedException {
        String servers = ConfigProvider.getConfig().getValue("oneshot.kafka.bootstrap-servers", String.class);
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", servers),
                new StringSerializer(),
                new ByteArraySerializer())) {
            producer.send(event).get();
        }
    }

    private static ConsumerRecord<String, byte[]> awaitOne(Topic topic, String key) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !TestTopic.read(topic, key).isEmpty());
        List<ConsumerRecord<String, byte[]>> records = TestTopic.read(topic, key);
        assertThat(records).hasSize(1);
        return records.getFirst();
    }

    private static long waiting(String id) {
        return TestDatabase.count("SELECT count(*) FROM outbox WHERE address_id = ?", id);
    }

    private static String send(String to, String subject, String attachments) {
        return "{\"mode\":\"send\",\"send\":{\"to\":" + to + ",\"subject\":" + subject
                + ",\"text_body\":\"t\",\"attachments\":" + attachments + "}}";
    }

    private static Octets octets(String text) {
        return Octets.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
