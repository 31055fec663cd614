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

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.PostmasterMail;
import dev.oneshot.contracts.event.SendBounced;
import dev.oneshot.contracts.event.Topic;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bounces of sends, and mail for the postmaster: both come in on {@code mail.inbound}. */
@ServiceTest
class BounceTest {

    /** Of {@link TestAccount#SEND}. */
    private static final String RECIPIENT = "a@b.example";

    private final TestAccount account = TestAccount.onPlan("pro");

    @Test
    void aBounceIsShownToTheOperatorWhetherItComesBeforeOrAfterTheEnd() {
        String before = sent();
        String after = sent();
        TestTopic.awaitOne(Topic.MAIL_DUE, before);
        Instant now = Instant.now();
        settle(after, new MailSettled(after, Outcome.RELAYED, null, new Reply(250, "2.0.0"), 1, now, now));
        awaitOutcome(after, "RELAYED");

        bounce(before);
        bounce(after);

        awaitOutcome(after, "BOUNCED");
        awaitBounceNoted(before);
        assertThat(outcome(before)).isEmpty();
        settle(before, relayed(before));
        awaitOutcome(before, "BOUNCED");
    }

    @Test
    void aBounceIsShownAlthoughTheAddressIsDeletedOrExpiresBeforeTheSendIsSettled() {
        String deleted = sent();
        String expired = sent();
        String expiredAtMailer = sent();
        List<String> ids = List.of(deleted, expired, expiredAtMailer);
        Instant now = Instant.now();
        for (String id : ids) {
            TestTopic.awaitOne(Topic.MAIL_DUE, id);
            bounce(id);
            awaitBounceNoted(id);
        }

        account.delete(deleted).then().statusCode(204);
        TestDatabase.update("UPDATE send_outbox SET expires_at = now() WHERE address_id = ?", expired);
        settle(expiredAtMailer, new MailSettled(expiredAtMailer, Outcome.EXPIRED, null, null, 1, now, now));

        for (String id : ids) {
            awaitOutcome(id, "BOUNCED");
            TestAccount.operator()
                    .get("/operator/sends?address_id=" + id)
                    .then()
                    .body("items[0].enhanced_status", equalTo("5.1.1"))
                    .body("items[0].account_id", equalTo(account.id()));
        }
    }

    @Test
    void aBounceOfAnotherRecipientChangesNothing() throws Exception {
        String before = sent();
        String after = sent();
        settle(after, relayed(after));
        awaitOutcome(after, "RELAYED");

        bounce(before, Map.of("other@example.org", "5.1.1"));
        bounce(after, Map.of("other@example.org", "5.1.1", "", "5.1.1"));
        // Once a later record of the topic is handled, these are too.
        String last = sent();
        settle(last, relayed(last));
        awaitOutcome(last, "RELAYED");
        bounce(last, Map.of("A@B.Example.", "5.1.1"));
        awaitOutcome(last, "BOUNCED");

        assertThat(outcome(after)).isEqualTo("RELAYED");
        assertThat(TestDatabase.count(
                        "SELECT count(*) FROM send_outbox WHERE bounced_status IS NOT NULL AND address_id = ?", before))
                .isZero();
    }

    @Test
    void aMailForThePostmasterIsPublishedOnceAsItCame() throws Exception {
        String id = PostmasterMail.ID_PREFIX + System.nanoTime();
        Instant now = Instant.now();
        byte[] value = EventCodec.encode(new PostmasterMail(
                id, "ops@example.org", now, now.plusSeconds(600), Octets.of("Subject: s\r\n\r\nx".getBytes(UTF_8))));

        TestMail.publishValues(List.of(Map.entry(id, value), Map.entry(id, value)));

        assertThat(TestTopic.awaitOne(Topic.MAIL_DUE, id).value()).isEqualTo(value);
        settle(id, relayed(id));
        awaitOutcome(id, "RELAYED");
        String last = sent();
        TestMail.publishValues(List.of(
                Map.entry(id, value),
                Map.entry(id, EventCodec.encode(new SendBounced(last, Map.of(RECIPIENT, "5.0.0"), now)))));
        awaitBounceNoted(last);
        assertThat(TestDatabase.outbox(id)).isZero();
    }

    @Test
    void whatCannotBePassedOnIsDeadLettered() {
        String key = "bounce" + System.nanoTime();
        TestMail.publishValues(List.of(Map.entry(
                key, EventCodec.encode(new SendBounced(key + '\0', Map.of(RECIPIENT, "5.1.1"), Instant.now())))));

        awaitDeadLetter(Topic.MAIL_INBOUND_DLQ, key);
    }

    private static void awaitBounceNoted(String id) {
        String sql = "SELECT count(*) FROM send_outbox WHERE bounced_status IS NOT NULL AND address_id = ?";
        await().until(() -> TestDatabase.count(sql, id) == 1);
    }

    private static void bounce(String id) {
        bounce(id, Map.of("other@example.org", "5.2.2", RECIPIENT, "5.1.1"));
    }

    private static void bounce(String id, Map<String, String> failed) {
        TestMail.publishValues(List.of(Map.entry(id, EventCodec.encode(new SendBounced(id, failed, Instant.now())))));
    }

    /** A new send-mode address. */
    private String sent() {
        return account.created(TestAccount.SEND);
    }
}
