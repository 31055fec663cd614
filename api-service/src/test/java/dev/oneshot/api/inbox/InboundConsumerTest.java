package dev.oneshot.api.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.message.MessageStructure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class InboundConsumerTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    private void assertText(String id, String text) {
        account.get(id + "/email").then().statusCode(200).body("text_body", equalTo(text));
    }

    private static MailInbound mail(String id, String text) {
        return TestMail.event(id, "Subject: s\n\n" + text);
    }

    @Test
    void firstMailWinsWithinABatch() {
        String id = account.waitingAddress(600);

        TestMail.publish(List.of(mail(id, "first"), mail(id, "second"), mail(id, "third")));

        account.awaitReceived(id);
        account.awaitEverythingBefore(id);
        assertText(id, "first");
        assertThat(TestDatabase.mails(id)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"second", "first"})
    void neitherASecondMailNorTheSameAgainTouchesTheFirst(String text) {
        String id = account.waitingAddress(600);
        MailInbound first = mail(id, "first");

        account.receive(first);
        TestMail.publish(text.equals("first") ? first : mail(id, text));

        account.awaitEverythingBefore(id);
        assertText(id, "first");
        assertThat(TestDatabase.mails(id)).isEqualTo(1);
    }

    @Test
    void emptyRecordIsNoDeadLetter() {
        String id = account.waitingAddress(600);
        long deadLetters = TestTopic.readable(Topic.MAIL_INBOUND_DLQ);

        TestMail.publishEmptyRecords();
        account.receive(mail(id, "behind"));
        account.awaitEverythingBefore(id);
        assertThat(TestTopic.readable(Topic.MAIL_INBOUND_DLQ)).isEqualTo(deadLetters);
    }

    @Test
    void mailForAnExpiredOrDeletedOrUnknownAddressIsDropped() {
        String expired = account.waitingAddress(600);
        TestDatabase.expire(expired);
        String deleted = account.waitingAddress(600);
        account.delete(deleted).then().statusCode(204);
        String unknown = "a".repeat(24);

        TestMail.publish(List.of(mail(expired, "x"), mail(deleted, "x"), mail(unknown, "x")));

        List.of(expired, deleted, unknown).forEach(id -> {
            account.awaitEverythingBefore(id);
            assertThat(TestDatabase.mails(id)).isZero();
            assertThat(deadLetterReasons(id)).isEmpty();
        });
        account.get(expired).then().statusCode(410);
        account.get(deleted).then().statusCode(404);
    }

    @Test
    void mailReceivedAfterTheExpiryIsDroppedWhateverTheDatabasesClockSays() {
        String id = account.waitingAddress(600);

        TestMail.publish(TestMail.at(Instant.now().plusSeconds(700), mail(id, "late")));

        account.awaitEverythingBefore(id);
        assertThat(TestDatabase.mails(id)).isZero();
    }

    @Test
    void mailWhosePartitionIsMissingIsStoredWholeOnceThatIsThere() {
        String id = account.waitingAddress(86_400);
        dropPartitionOf(id);

        account.receive(mail(id, "not half"));
        assertText(id, "not half");
    }

    /** A partition a day ahead, in which no other test has mail. */
    private static void dropPartitionOf(String id) {
        long hour = TestDatabase.count(
                "SELECT to_char(expires_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24')::bigint FROM address WHERE id = ?", id);
        TestDatabase.update("DROP TABLE mail_" + hour);
    }

    @Test
    void whatIsNoEventGoesToTheDeadLettersAndTheNextMailIsStored() {
        String id = account.waitingAddress(600);
        byte[] nonsense = "nonsense".getBytes(UTF_8);

        TestMail.publishValues(List.of(
                Map.entry(id, nonsense),
                Map.entry(id, new byte[0]),
                Map.entry(id, EventCodec.encode(mail(id, "good")))));

        account.awaitReceived(id);
        assertText(id, "good");
        account.awaitEverythingBefore(id);
        assertThat(TestTopic.read(Topic.MAIL_INBOUND_DLQ, id))
                .hasSize(2)
                .first()
                .returns(nonsense, ConsumerRecord::value);
        assertThat(deadLetterReasons(id).getFirst()).contains("not an event of this topic", "unknown format version");
    }

    @Test
    void contentWithoutItsEndGoesToTheDeadLetters() {
        String id = account.waitingAddress(600);
        MailInbound mail = mail(id, "cut off");
        Octets cut = Octets.of(
                mail.content().array(), mail.content().offset(), mail.content().length() - 1);

        TestMail.publish(new MailInbound(id, mail.receivedAt(), "", "", 0, cut));

        account.awaitEverythingBefore(id);
        assertThat(deadLetterReasons(id)).singleElement().asString().contains("another length");
    }

    @Test
    void poisonIsFoundInItsBatchAndSetAside() {
        String before = account.waitingAddress(600);
        String after = account.waitingAddress(600);
        // PostgreSQL's text has no U+0000, so the statement with this id fails.
        String poison = "a".repeat(23) + "\0";

        TestMail.publishValues(List.of(
                Map.entry("one partition", EventCodec.encode(mail(before, "before"))),
                Map.entry("one partition", EventCodec.encode(mail(poison, "poison"))),
                Map.entry("one partition", EventCodec.encode(mail(after, "after")))));

        account.awaitReceived(before);
        account.awaitReceived(after);
        assertText(before, "before");
        assertText(after, "after");
        account.awaitEverythingBefore("one partition");
        assertThat(deadLetterReasons("one partition"))
                .singleElement()
                .asString()
                .contains("not storable");
    }

    @Test
    void charactersThatPostgresDoesNotHaveAreReplaced() {
        String id = account.waitingAddress(600);
        MessageStructure structure = new MessageStructure(
                List.of(), "nul\0@example.org", "sub\0ject", List.of(), List.of(), List.of(), true);

        TestMail.publish(TestMail.event(id, Instant.now(), structure, new byte[] {0, 1, 2}));

        account.awaitReceived(id);
        account.get(id)
                .then()
                .body("email.from", equalTo("nul\uFFFD@example.org"))
                .body("email.subject", equalTo("sub\uFFFDject"));
    }

    @Test
    void receivedAddressIsAnnouncedAsClosed() throws Exception {
        String id = account.waitingAddress(600);

        account.receive(mail(id, "x"));
        AddressClosed closed = EventCodec.decodeAddressClosed(
                TestTopic.awaitOne(Topic.ADDRESS_CLOSED, id).value());
        assertThat(closed.addressId()).isEqualTo(id);
        assertThat(closed.reason()).isEqualTo(AddressClosed.Reason.RECEIVED);
        assertThat(closed.until())
                .isBetween(Instant.now().plusSeconds(500), Instant.now().plusSeconds(601));
    }

    private static List<String> deadLetterReasons(String key) {
        return TestTopic.read(Topic.MAIL_INBOUND_DLQ, key).stream()
                .map(dead -> new String(
                        dead.headers()
                                .lastHeader(Topic.DEAD_LETTER_REASON_HEADER)
                                .value(),
                        UTF_8))
                .toList();
    }
}
