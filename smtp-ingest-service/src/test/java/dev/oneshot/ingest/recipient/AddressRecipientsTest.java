package dev.oneshot.ingest.recipient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.signing.SigningKey;
import dev.oneshot.ingest.smtp.AuthservId;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.RecipientPolicy.Refusal;
import dev.oneshot.ingest.smtp.session.RecipientPolicy.Verdict;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRecipientsTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:30:00Z");
    private static final SigningKey KEY = SigningKey.ofBase64("b25lc2hvdC10ZXN0LWFkZHJlc3Mta2V5LW5vLXNlY3JldA==");
    private static final SizeClass SIZE = SizeClass.ofMessageBytesMax(64 * 1024);
    private static final AddressIdCodec CODEC = new AddressIdCodec(List.of(KEY), new Random(7));

    private static final ClosedAddressSet CLOSED = new ClosedAddressSet(config("in.example"));
    private static final ReversePath ALICE = new ReversePath.Sender(new Mailbox("alice", "example.org"));

    @Test
    void liveAddressIsAcceptedWithTheLimitsOfItsPlan() {
        SizeClass size = SizeClass.ofMessageBytesMax(2 << 20).withAttachmentBytesMax(1 << 20);
        AddressId id = CODEC.issue(size, NOW.plusSeconds(60));

        Mailbox mailbox = new Mailbox(id.text(), "in.example");
        assertThat(recipients("in.example", NOW).decide(mailbox, ALICE))
                .isEqualTo(new Verdict.Accepted(new Recipient(id.text(), mailbox, 2 << 20, 1 << 20, false)));
    }

    @Test
    void caseMattersNeitherInTheLocalPartNorInTheDomain() {
        AddressId id = CODEC.issue(SIZE, NOW.plusSeconds(60));

        assertThat(recipients("In.Example", NOW)
                        .decide(new Mailbox(id.text().toUpperCase(Locale.ROOT), "IN.eXample"), ALICE))
                .isInstanceOf(Verdict.Accepted.class);
    }

    @Test
    void internationalDomainIsTheSameInEitherForm() {
        AddressId id = CODEC.issue(SIZE, NOW.plusSeconds(60));
        AddressRecipients recipients = recipients("b\u00fccher.example", NOW);

        assertThat(recipients.decide(new Mailbox(id.text(), "xn--bcher-kva.example"), ALICE))
                .isInstanceOf(Verdict.Accepted.class);
        assertThat(recipients.decide(new Mailbox(id.text(), "B\u00fccher.example"), ALICE))
                .isInstanceOf(Verdict.Accepted.class);
    }

    @Test
    void addressIsTakenUntilTheSecondOfItsExpiry() {
        AddressId id = CODEC.issue(SIZE, NOW.plusSeconds(61));
        Mailbox mailbox = new Mailbox(id.text(), "in.example");

        assertThat(recipients("in.example", NOW.plusSeconds(61).minusNanos(1)).decide(mailbox, ALICE))
                .isInstanceOf(Verdict.Accepted.class);
        assertThat(recipients("in.example", NOW.plusSeconds(61)).decide(mailbox, ALICE))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
    }

    @Test
    void addressThatSendsTakesNoMail() {
        AddressId id = CODEC.issueSending(SIZE, NOW.plusSeconds(60));

        assertThat(recipients("in.example", NOW).decide(new Mailbox(id.text(), "in.example"), ALICE))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
    }

    @Test
    void postmasterOfOurDomainIsNamedAsSuchInAnyCase() {
        AddressRecipients recipients = recipients("in.example", NOW);

        assertThat(recipients.decide(new Mailbox("PostMaster", "In.Example"), ALICE))
                .isEqualTo(new Verdict.Refused(Refusal.POSTMASTER));
        assertThat(recipients.decide(new Mailbox("postmaster", "example.org"), ALICE))
                .isEqualTo(new Verdict.Refused(Refusal.OTHER_DOMAIN));
    }

    @Test
    void otherDomainIsNamedAsSuchWhateverTheLocalPart() {
        AddressId id = CODEC.issue(SIZE, NOW.plusSeconds(60));

        assertThat(recipients("in.example", NOW).decide(new Mailbox(id.text(), "sub.in.example"), ALICE))
                .isEqualTo(new Verdict.Refused(Refusal.OTHER_DOMAIN));
        assertThat(recipients("in.example", NOW).decide(new Mailbox(id.text(), "[192.0.2.1]"), ALICE))
                .isEqualTo(new Verdict.Refused(Refusal.OTHER_DOMAIN));
    }

    @Test
    void addressThatSendsTakesNotificationsUntilTheSecondOfItsExpiry() {
        AddressId id = CODEC.issueSending(SIZE, NOW.plusSeconds(61));
        Mailbox mailbox = new Mailbox(id.text(), "Out.example");
        ReversePath none = new ReversePath.Null();

        assertThat(recipients("in.example", NOW.plusSeconds(61).minusNanos(1)).decide(mailbox, none))
                .isEqualTo(new Verdict.Accepted(new Recipient(
                        id.text(), mailbox, 2 * 64 * 1024, Long.MAX_VALUE, false, Recipient.Kind.SENDING)));
        assertThat(recipients("in.example", NOW).decide(mailbox, ALICE))
                .isEqualTo(new Verdict.Refused(Refusal.OTHER_DOMAIN));
        assertThat(recipients("in.example", NOW.plusSeconds(61)).decide(mailbox, none))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
        assertThat(recipients("in.example", NOW).decide(new Mailbox(id.text(), "in.example"), none))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
    }

    @Test
    void addressThatReceivesTakesNothingInTheSendDomain() {
        AddressId id = CODEC.issue(SIZE, NOW.plusSeconds(60));

        assertThat(recipients("in.example", NOW).decide(new Mailbox(id.text(), "out.example"), new ReversePath.Null()))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
    }

    @Test
    void addressThatWasNeverIssuedDoesNotExistInTheSendDomainEither() {
        Mailbox mailbox = new Mailbox("someone", "out.example");

        assertThat(recipients("in.example", NOW).decide(mailbox, new ReversePath.Null()))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
        assertThat(recipients("in.example", NOW).decide(mailbox, ALICE))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
    }

    @Test
    void oneDomainMayServeBothWays() {
        AddressRecipients recipients = recipients("out.example", NOW);
        ReversePath none = new ReversePath.Null();

        assertThat(recipients.decide(
                        new Mailbox(CODEC.issue(SIZE, NOW.plusSeconds(60)).text(), "out.example"), none))
                .isInstanceOf(Verdict.Accepted.class);
        assertThat(recipients.decide(
                        new Mailbox(
                                CODEC.issueSending(SIZE, NOW.plusSeconds(60)).text(), "out.example"),
                        none))
                .isInstanceOf(Verdict.Accepted.class);
        assertThat(recipients.decide(
                        new Mailbox(
                                CODEC.issueSending(SIZE, NOW.plusSeconds(60)).text(), "out.example"),
                        ALICE))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
    }

    @Test
    void deletedAddressThatSentTakesNoNotification() {
        AddressId id = CODEC.issueSending(SIZE, NOW.plusSeconds(60));
        Mailbox mailbox = new Mailbox(id.text(), "out.example");
        ClosedAddressSet closed = new ClosedAddressSet(config("in.example"));

        closed.add(id, AddressClosed.Reason.DELETED);

        assertThat(recipients(config("in.example"), closed, null, NOW).decide(mailbox, new ReversePath.Null()))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"postmaster", "Abuse"})
    void roleIsNamedAsSuchInBothDomains(String localPart) {
        AddressRecipients recipients = recipients("in.example", NOW);

        for (String domain : List.of("in.example", "out.example")) {
            assertThat(recipients.decide(new Mailbox(localPart, domain), ALICE))
                    .isEqualTo(new Verdict.Refused(Refusal.POSTMASTER));
        }
    }

    @ParameterizedTest
    @CsvSource({"ops, In.example", "postmaster, in.example", "Postmaster, Out.Example", "ops, out.example"})
    void mailboxOfTheOperatorWhoseMailWouldComeBackIsRefusedByName(String localPart, String domain) {
        Mailbox mailbox = new Mailbox(localPart, domain);

        assertThatThrownBy(() -> recipients(config("in.example"), CLOSED, mailbox, NOW))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.smtp.postmaster")
                .hasMessageContaining(mailbox.toString());
    }

    @ParameterizedTest
    @CsvSource({"ops, example.org", "postmaster, example.org"})
    void otherMailboxOfTheOperatorIsTaken(String localPart, String domain) {
        Mailbox mailbox = new Mailbox(localPart, domain);

        assertThatCode(() -> recipients(config("in.example"), CLOSED, mailbox, NOW))
                .doesNotThrowAnyException();
    }

    private static AddressRecipients recipients(String domain, Instant now) {
        return recipients(config(domain), CLOSED, null, now);
    }

    private static AddressRecipients recipients(
            RecipientConfig config, ClosedAddressSet closed, @Nullable Mailbox operator, Instant now) {
        SmtpPolicy.Postmaster postmaster = operator == null ? null : new SmtpPolicy.Postmaster(operator, 1);
        return new AddressRecipients(
                config,
                new SmtpPolicy("mx.example", AuthservId.of("mx.example"), 1, 1, 1, 1, 1, 1, 1, 1, postmaster),
                CODEC,
                closed,
                InstantSource.fixed(now));
    }

    private static RecipientConfig config(String domain) {
        return new RecipientConfig() {
            @Override
            public String domain() {
                return domain;
            }

            @Override
            public String sendDomain() {
                return "out.example";
            }

            @Override
            public int closedAddressesMax() {
                return 10;
            }
        };
    }
}
