package dev.oneshot.ingest.recipient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.signing.SigningKey;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.session.RecipientPolicy.Refusal;
import dev.oneshot.ingest.smtp.session.RecipientPolicy.Verdict;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AddressRecipientsTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:30:00Z");
    private static final SigningKey KEY = SigningKey.ofBase64("b25lc2hvdC10ZXN0LWFkZHJlc3Mta2V5LW5vLXNlY3JldA==");
    private static final SizeClass SIZE = SizeClass.ofMessageBytesMax(64 * 1024);
    private static final AddressIdCodec CODEC = new AddressIdCodec(List.of(KEY), new Random(7));

    @Test
    void liveAddressIsAcceptedWithTheLimitsOfItsPlan() {
        SizeClass size = SizeClass.ofMessageBytesMax(2 << 20).withAttachmentBytesMax(1 << 20);
        AddressId id = CODEC.issue(size, NOW.plusSeconds(60));

        Mailbox mailbox = new Mailbox(id.text(), "in.example");
        assertThat(recipients("in.example", NOW).decide(mailbox))
                .isEqualTo(new Verdict.Accepted(new Recipient(id.text(), mailbox, 2 << 20, 1 << 20, false)));
    }

    @Test
    void caseMattersNeitherInTheLocalPartNorInTheDomain() {
        AddressId id = CODEC.issue(SIZE, NOW.plusSeconds(60));

        assertThat(recipients("In.Example", NOW).decide(new Mailbox(id.text().toUpperCase(Locale.ROOT), "IN.eXample")))
                .isInstanceOf(Verdict.Accepted.class);
    }

    @Test
    void internationalDomainIsTheSameInEitherForm() {
        AddressId id = CODEC.issue(SIZE, NOW.plusSeconds(60));
        AddressRecipients recipients = recipients("b\u00fccher.example", NOW);

        assertThat(recipients.decide(new Mailbox(id.text(), "xn--bcher-kva.example")))
                .isInstanceOf(Verdict.Accepted.class);
        assertThat(recipients.decide(new Mailbox(id.text(), "B\u00fccher.example")))
                .isInstanceOf(Verdict.Accepted.class);
    }

    @Test
    void addressIsTakenUntilTheSecondOfItsExpiry() {
        AddressId id = CODEC.issue(SIZE, NOW.plusSeconds(61));
        Mailbox mailbox = new Mailbox(id.text(), "in.example");

        assertThat(recipients("in.example", NOW.plusSeconds(61).minusNanos(1)).decide(mailbox))
                .isInstanceOf(Verdict.Accepted.class);
        assertThat(recipients("in.example", NOW.plusSeconds(61)).decide(mailbox))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
    }

    @Test
    void addressThatSendsTakesNoMail() {
        AddressId id = CODEC.issueSending(SIZE, NOW.plusSeconds(60));

        assertThat(recipients("in.example", NOW).decide(new Mailbox(id.text(), "in.example")))
                .isEqualTo(new Verdict.Refused(Refusal.NO_SUCH_ADDRESS));
    }

    @Test
    void postmasterOfOurDomainIsNamedAsSuchInAnyCase() {
        AddressRecipients recipients = recipients("in.example", NOW);

        assertThat(recipients.decide(new Mailbox("PostMaster", "In.Example")))
                .isEqualTo(new Verdict.Refused(Refusal.POSTMASTER));
        assertThat(recipients.decide(new Mailbox("postmaster", "example.org")))
                .isEqualTo(new Verdict.Refused(Refusal.OTHER_DOMAIN));
    }

    @Test
    void otherDomainIsNamedAsSuchWhateverTheLocalPart() {
        AddressId id = CODEC.issue(SIZE, NOW.plusSeconds(60));

        assertThat(recipients("in.example", NOW).decide(new Mailbox(id.text(), "sub.in.example")))
                .isEqualTo(new Verdict.Refused(Refusal.OTHER_DOMAIN));
        assertThat(recipients("in.example", NOW).decide(new Mailbox(id.text(), "[192.0.2.1]")))
                .isEqualTo(new Verdict.Refused(Refusal.OTHER_DOMAIN));
    }

    private static AddressRecipients recipients(String domain, Instant now) {
        RecipientConfig config = new RecipientConfig() {
            @Override
            public String domain() {
                return domain;
            }

            @Override
            public int closedAddressesMax() {
                return 10;
            }
        };
        return new AddressRecipients(config, CODEC, new ClosedAddressSet(config), InstantSource.fixed(now));
    }
}
