package dev.oneshot.api.sending;

import static dev.oneshot.api.sending.SendResults.awaitDeadLetter;
import static dev.oneshot.api.sending.SendResults.awaitOutcome;
import static dev.oneshot.api.sending.SendResults.outcome;
import static dev.oneshot.api.sending.SendResults.relayed;
import static dev.oneshot.api.sending.SendResults.settle;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailDeferred;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.SendLease;
import dev.oneshot.contracts.event.Topic;
import io.restassured.response.Response;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ServiceTest
class SendTest {

    private final TestAccount account = TestAccount.onPlan("pro");

    @Test
    void aSendReturnsItsAddressAndItsRequestReachesKafka() throws EventFormatException {
        Response created = account.create("""
            {"mode":"send","label":"out","send":{"to":"ada@example.org","subject":"Grüße","text_body":"Hallo",
             "html_body":"<p>","attachments":[{"filename":"../b/a.bin","content_type":"application/pdf",
             "content_base64":"AP8="}]}}\
            """);

        created.then()
                .statusCode(201)
                .body("mode", equalTo("send"))
                .body("status", equalTo("sent"))
                .body("send_to", equalTo("ada@example.org"))
                .body("address", equalTo(created.path("id") + "@out.oneshot.localhost"));
        String id = created.path("id");
        MailRequested request = request(id);
        assertThat(request.from()).isEqualTo(id + "@out.oneshot.localhost");
        assertThat(request.mail().to()).isEqualTo("ada@example.org");
        assertThat(request.mail().subject()).isEqualTo("Grüße");
        assertThat(request.mail().textBody()).isEqualTo(Octets.of("Hallo".getBytes(UTF_8)));
        assertThat(request.mail().htmlBody()).isEqualTo(Octets.of("<p>".getBytes(UTF_8)));
        assertThat(request.mail().attachments())
                .containsExactly(
                        new MailRequested.Attachment("a.bin", "application/pdf", Octets.of(new byte[] {0, -1})));
        assertThat(request.expiresAt()).isEqualTo(Instant.parse(created.path("expires_at")));
        assertThat(TestDatabase.outbox(id)).isEqualTo(1);
    }

    @Test
    void aSendAddressHasNoMailToRead() {
        String id = sent();

        account.get(id).then().statusCode(200).body("email", nullValue());
        account.get(id + "/email").then().statusCode(404);
        account.get(id + "/email/raw").then().statusCode(404);
    }

    @Test
    void nullIsAbsentAndWhatIsUnknownIsIgnored() throws EventFormatException {
        Response created = account.create("""
            {"mode":"send","label":null,"ttl_seconds":null,"later":1,
             "send":{"to":"ada@bücher.example","subject":"","text_body":null,"html_body":null,"cc":["x"],
              "attachments":[{"filename":"a","content_type":"a/b; c=\\"d\\"","content_base64":"","inline":true}]}}\
            """);

        created.then().statusCode(201);
        MailRequested request = request(created.path("id"));
        assertThat(request.mail().to()).isEqualTo("ada@bücher.example");
        assertThat(request.mail().textBody()).isNull();
        assertThat(request.mail().htmlBody()).isNull();
        assertThat(request.mail().attachments()).hasSize(1);
        account.created(TestAccount.SEND.replace("\"t\"", "null,\"attachments\":null"));
    }

    @ParameterizedTest
    @CsvSource({"CONNECTION, 1", ", 0"})
    void aRequestThatIsDeferredOrGivenBackIsPublishedAgain(MailSettled.@Nullable Failure failure, int attempts) {
        String id = sent();
        SendLease first = lease(TestTopic.awaitOne(Topic.MAIL_DUE, id));

        settle(id, new MailDeferred(id, first.until(), failure, null, attempts, Instant.now()));

        await().until(() -> TestTopic.read(Topic.MAIL_DUE, id).size() == 2);
        SendLease second = lease(TestTopic.read(Topic.MAIL_DUE, id).getLast());
        assertThat(first.attempts()).isZero();
        assertThat(second.attempts()).isEqualTo(attempts);
        assertThat(second.until()).isAfter(first.until());
    }

    @Test
    void aDeletedRequestLeavesAtOnceAndIsRecordedAsRelayedIfItWasOnItsWay() {
        String id = sent();
        TestTopic.awaitOne(Topic.MAIL_DUE, id);

        account.delete(id).then().statusCode(204);

        assertThat(TestDatabase.outbox(id)).isZero();
        assertThat(outcome(id)).isEqualTo("DELETED");
        Instant earlier = Instant.now().minusSeconds(5);
        settle(id, new MailSettled(id, Outcome.RELAYED, null, null, 1, earlier, earlier));
        awaitOutcome(id, "RELAYED");
    }

    @Test
    void anExpiredRequestLeavesAtOnce() {
        String id = sent();
        TestTopic.awaitOne(Topic.MAIL_DUE, id);

        TestDatabase.update("UPDATE send_outbox SET expires_at = now() WHERE address_id = ?", id);

        await().until(() -> TestDatabase.outbox(id) == 0);
        assertThat(outcome(id)).isEqualTo("EXPIRED");
    }

    /** As after an outage of the database that was longer than the lease. */
    @Test
    void aLeaseThatHasEndedIsFollowedByNoOtherWhileItsResultIsNotRead() throws Exception {
        String id = sent();
        String other = sent();
        TestTopic.awaitOne(Topic.MAIL_DUE, id);
        TestTopic.awaitOne(Topic.MAIL_DUE, other);
        try (Connection holding = TestDatabase.sql().begin("LOCK TABLE send_settlement IN SHARE ROW EXCLUSIVE MODE")) {
            settle(id, relayed(id));
            endLease(id);
            double released = released();

            // Long enough for a fence, which lets the lease end if no result is unread.
            await().during(Duration.ofSeconds(12)).atMost(Duration.ofMinutes(1)).until(() -> released() == released);
            holding.rollback();
        }

        await().until(() -> TestDatabase.outbox(id) == 0);
        assertThat(TestTopic.read(Topic.MAIL_DUE, id)).hasSize(1);
        assertThat(outcome(id)).isEqualTo("RELAYED");
        endLease(other);
        await().until(() -> TestTopic.read(Topic.MAIL_DUE, other).size() == 2);
    }

    @Test
    void anEndIsRecordedOnceAndShownToTheOperator() {
        String id = sent();
        Instant now = Instant.now();
        Reply reply = new Reply(550, "5.1.1");
        settle(id, new MailSettled(id, Outcome.REFUSED, Failure.REPLY, reply, 1, now.minusSeconds(1), now));
        settle(id, new MailSettled(id, Outcome.GIVEN_UP, null, null, 9, now.minusSeconds(1), now.minusSeconds(5)));

        awaitOutcome(id, "REFUSED");
        Response sends = TestAccount.operator().get("/operator/sends?address_id=" + id);
        sends.then().statusCode(200).body("items.size()", equalTo(1));
        assertThat(sends.<Map<String, Object>>path("items[0]"))
                .containsEntry("outcome", "refused")
                .containsEntry("failure", "reply")
                .containsEntry("reply_code", 550)
                .containsEntry("enhanced_status", "5.1.1")
                .containsEntry("attempts", 1)
                .containsEntry("account_id", account.id());
        TestAccount.operator().get("/operator/sends?outcome=lost").then().statusCode(400);
    }

    @Test
    void anEndThatCannotBeReadIsDeadLettered() {
        String key = "unreadable" + System.nanoTime();
        settle(key, new byte[] {9});

        awaitDeadLetter(Topic.MAIL_SETTLED_DLQ, key);
    }

    /** PostgreSQL has no U+0000 in text. */
    @Test
    void aResultThatCannotBeStoredIsDeadLetteredAndDelaysNoOther() {
        String key = "unstorable" + System.nanoTime();
        settle(key, relayed(key + '\0'));
        settle(key, relayed(key));

        awaitDeadLetter(Topic.MAIL_SETTLED_DLQ, key);
        await().until(() -> TestDatabase.count("SELECT count(*) FROM send_settlement WHERE address_id = ?", key) == 1);
    }

    private static MailRequested request(String id) throws EventFormatException {
        return (MailRequested)
                EventCodec.decodeDueMail(TestTopic.awaitOne(Topic.MAIL_DUE, id).value());
    }

    private static void endLease(String id) {
        TestDatabase.update(
                "UPDATE send_outbox SET leased_until = now() - interval '5 seconds' WHERE address_id = ?", id);
    }

    private static double released() {
        return TestMetrics.sum("oneshot_outbox_released_total");
    }

    private static SendLease lease(ConsumerRecord<String, byte[]> record) {
        return SendLease.of(record.headers()).orElseThrow();
    }

    /** A new send-mode address. */
    private String sent() {
        return account.created(TestAccount.SEND);
    }
}
