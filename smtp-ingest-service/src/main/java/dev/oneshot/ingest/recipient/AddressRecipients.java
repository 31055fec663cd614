package dev.oneshot.ingest.recipient;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.ingest.smtp.ForwardPath;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.RecipientPolicy;
import dev.oneshot.ingest.smtp.UnheardMails;
import jakarta.inject.Singleton;
import java.net.IDN;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/** Takes mail for addresses of our domain that are signed, alive and not closed. */
@Singleton
final class AddressRecipients implements RecipientPolicy {

    private final String receiveDomain;
    private final AddressIdCodec codec;
    private final ClosedAddresses closed;
    private final UnheardMails unheardMails;
    private final InstantSource clock;

    AddressRecipients(
            RecipientConfig config,
            AddressIdCodec codec,
            ClosedAddresses closed,
            UnheardMails unheardMails,
            InstantSource clock) {
        this.receiveDomain = canonical(config.domain());
        this.codec = codec;
        this.closed = closed;
        this.unheardMails = unheardMails;
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
        SizeClass size = id.sizeClass();
        return switch (closed.state(id)) {
            case OPEN -> new Verdict.Accepted(id.text(), size.messageBytesMax(), size.attachmentBytesMax());
            case RECEIVED -> new Verdict.Used(id.text(), size.messageBytesMax(), size.attachmentBytesMax());
            case DELETED -> new Verdict.Refused(Refusal.NO_SUCH_ADDRESS);
        };
    }

    @Override
    public UnheardMails unheardMails() {
        return unheardMails;
    }

    /** Lower case and, for an international domain, its A-labels (RFC 5890 §2.3.2.1). */
    private static String canonical(String domain) {
        try {
            return IDN.toASCII(domain).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            // Not a name that IDNA knows, so it is not ours; it stays what it is.
            return domain.toLowerCase(Locale.ROOT);
        }
    }
}
