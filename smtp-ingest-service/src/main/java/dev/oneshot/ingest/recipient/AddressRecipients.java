package dev.oneshot.ingest.recipient;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.ingest.smtp.ForwardPath;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.session.ExpectedRetries;
import dev.oneshot.ingest.smtp.session.RecipientPolicy;
import jakarta.inject.Singleton;
import java.net.IDN;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/** Accepts mail for the receive domain's addresses that are signed, not expired and not closed. */
@Singleton
final class AddressRecipients implements RecipientPolicy {

    private final String receiveDomain;
    private final AddressIdCodec codec;
    private final ClosedAddressSet closed;
    private final ExpectedRetries expectedRetries = new ExpectedRetries();
    private final InstantSource clock;

    AddressRecipients(RecipientConfig config, AddressIdCodec codec, ClosedAddressSet closed, InstantSource clock) {
        this.receiveDomain = canonical(config.domain());
        this.codec = codec;
        this.closed = closed;
        this.clock = clock;
    }

    @Override
    public Verdict decide(Mailbox mailbox) {
        if (!canonical(mailbox.domain()).equals(receiveDomain)) {
            return new Verdict.Refused(Refusal.OTHER_DOMAIN);
        }
        if (mailbox.localPart().equalsIgnoreCase(ForwardPath.POSTMASTER)) {
            return new Verdict.Refused(Refusal.POSTMASTER);
        }
        Optional<AddressId> verified = codec.verify(mailbox.localPart());
        if (verified.isEmpty()) {
            return new Verdict.Refused(Refusal.NO_SUCH_ADDRESS);
        }
        AddressId id = verified.get();
        if (!id.takesMail() || !id.expiresBy().isAfter(clock.instant())) {
            return new Verdict.Refused(Refusal.NO_SUCH_ADDRESS);
        }
        return switch (closed.state(id)) {
            case OPEN -> accepted(id, mailbox, false);
            case RECEIVED -> accepted(id, mailbox, true);
            case DELETED -> new Verdict.Refused(Refusal.NO_SUCH_ADDRESS);
        };
    }

    private static Verdict accepted(AddressId id, Mailbox mailbox, boolean used) {
        SizeClass size = id.sizeClass();
        return new Verdict.Accepted(
                new Recipient(id.text(), mailbox, size.messageBytesMax(), size.attachmentBytesMax(), used));
    }

    @Override
    public ExpectedRetries expectedRetries() {
        return expectedRetries;
    }

    /** Lower case, with the A-labels of an international domain (RFC 5890 §2.3.2.1). */
    private static String canonical(String domain) {
        try {
            return IDN.toASCII(domain).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            // Not valid in IDNA, so it is not the receive domain.
            return domain.toLowerCase(Locale.ROOT);
        }
    }
}
