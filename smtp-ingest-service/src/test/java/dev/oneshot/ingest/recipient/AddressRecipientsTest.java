package dev.oneshot.ingest.recipient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.signing.SigningKey;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.session.RecipientPolicy.Decision;
import dev.oneshot.ingest.transcript.Transcript;
import dev.oneshot.testing.TestSettings;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRecipientsTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:30:00Z");
    private static final SigningKey KEY = SigningKey.ofBase64("b25lc2hvdC10ZXN0LWFkZHJlc3Mta2V5LW5vLXNlY3JldA==");
    private static final SizeClass SIZE = SizeClass.ofMessageBytesMax(64 * 1024);
    private static final AddressIdCodec CODEC = new AddressIdCodec(List.of(KEY), new Random(7));

    private static final ReversePath ALICE = new ReversePath.Sender(new Mailbox("alice", "example.org"));
    private static final ReversePath NONE = new ReversePath.Null();

    private final ClosedAddressSet closed = new ClosedAddressSet(TestSettings.of(RecipientConfig.class));

    /** Local parts that receive and send stand for the ids of such addresses; the address expires after a minute. */
    @ParameterizedTest
    @CsvFileSource(resources = "/recipients.txt", delimiter = '|')
    void addressDomainSenderAndTimeDecide(
            String receiveDomain, String localPart, String domain, String sender, long later, String expected) {
        String id = switch (localPart) {
            case "receives" -> receiving().text();
            case "RECEIVES" -> receiving().text().toUpperCase(Locale.ROOT);
            case "sends" -> sending().text();
            default -> localPart;
        };

        Decision decision = recipients(receiveDomain, null, NOW.plusMillis(later))
                .decide(new Mailbox(id, domain), sender.equals("null") ? NONE : ALICE);

        if (expected.equals("accepted")) {
            assertThat(decision).isInstanceOf(Decision.Accepted.class);
        } else {
            assertThat(decision).isEqualTo(Decision.Refused.valueOf(expected));
        }
    }

    @Test
    void anAddressIsUsedAsSoonAsItsMailIsStored() {
        Mailbox mailbox = new Mailbox(receiving().text(), "in.example");
        AddressRecipients recipients = recipients("in.example", null, NOW);
        Recipient recipient = accepted(recipients.decide(mailbox, ALICE));

        recipients.stored(List.of(recipient));

        assertThat(recipient.used()).isFalse();
        assertThat(accepted(recipients.decide(mailbox, ALICE)).used()).isTrue();
    }

    @Test
    void aSendingAddressTakesMoreThanOneNotification() {
        Mailbox mailbox = new Mailbox(sending().text(), "out.example");
        AddressRecipients recipients = recipients("in.example", null, NOW);

        recipients.stored(List.of(accepted(recipients.decide(mailbox, NONE))));

        assertThat(accepted(recipients.decide(mailbox, NONE)).used()).isFalse();
    }

    @Test
    void anAddressThatWasDeletedStaysDeletedIfItsMailIsStored() {
        AddressId id = receiving();
        Mailbox mailbox = new Mailbox(id.text(), "in.example");
        AddressRecipients recipients = recipients("in.example", null, NOW);
        Recipient recipient = accepted(recipients.decide(mailbox, ALICE));
        closed.add(id, AddressClosed.Reason.DELETED);

        recipients.stored(List.of(recipient));

        assertThat(recipients.decide(mailbox, ALICE)).isEqualTo(Decision.Refused.NO_SUCH_ADDRESS);
    }

    private static Recipient accepted(Decision decision) {
        return ((Decision.Accepted) decision).recipient();
    }

    @Test
    void recipientHasTheLimitsOfItsPlanAndNotificationsTwiceTheSize() {
        SizeClass size = SizeClass.ofMessageBytesMax(2 << 20).withAttachmentBytesMax(1 << 20);
        AddressId id = CODEC.issue(size, NOW.plusSeconds(60));
        Mailbox receiving = new Mailbox(id.text(), "in.example");
        Mailbox sending = new Mailbox(sending().text(), "out.example");
        AddressRecipients recipients = recipients("in.example", null, NOW);

        assertThat(recipients.decide(receiving, ALICE))
                .isEqualTo(new Decision.Accepted(new Recipient(id.text(), receiving, 2 << 20, 1 << 20, false)));
        assertThat(recipients.decide(sending, NONE))
                .isEqualTo(new Decision.Accepted(new Recipient(
                        sending.localPart(), sending, 2 * 64 * 1024, Long.MAX_VALUE, false, Recipient.Kind.SENDING)));
    }

    @Test
    void deletedAddressThatSentTakesNoNotification() {
        AddressId id = sending();
        closed.add(id, AddressClosed.Reason.DELETED);

        assertThat(recipients("in.example", null, NOW).decide(new Mailbox(id.text(), "out.example"), NONE))
                .isEqualTo(Decision.Refused.NO_SUCH_ADDRESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ops@In.example", "postmaster@in.example", "Postmaster@Out.Example", "ops@out.example"})
    void mailboxOfTheOperatorWhoseMailWouldComeBackIsRefusedByName(String mailbox) {
        assertThatThrownBy(() -> recipients("in.example", mailbox, NOW))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.smtp.postmaster")
                .hasMessageContaining(mailbox);
        assertThat(recipients("in.example", mailbox.replaceFirst("@.*", "@example.org"), NOW))
                .isNotNull();
    }

    private static AddressId receiving() {
        return CODEC.issue(SIZE, NOW.plusSeconds(60));
    }

    private static AddressId sending() {
        return CODEC.issueSending(SIZE, NOW.plusSeconds(60));
    }

    private AddressRecipients recipients(String domain, @Nullable String operator, Instant now) {
        return new AddressRecipients(
                TestSettings.of(RecipientConfig.class, "domain=" + domain, "send-domain=out.example"),
                operator == null ? Transcript.policyOf() : Transcript.policyOf("postmaster=" + operator),
                CODEC,
                closed,
                InstantSource.fixed(now));
    }
}
