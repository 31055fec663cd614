package dev.oneshot.ingest.recipient;

import dev.oneshot.authentication.dns.DomainNames;
import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.setting.ValidSetting;
import dev.oneshot.ingest.smtp.ForwardPath;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.RecipientPolicy;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Accepts mail for addresses of the receive domain that are signed, not expired and not deleted; for a used one, only a
 * retry. Accepts mail with a null reverse-path for such addresses of the send domain.
 */
@Singleton
final class AddressRecipients implements RecipientPolicy {

    /** A notification may return the whole mail, which may be longer in base64 than the plan's limit counts. */
    private static final int NOTIFICATION_FACTOR = 2;

    private final String receiveDomain;
    private final String sendDomain;
    private final AddressIdCodec codec;
    private final ClosedAddressSet closed;
    private final InstantSource clock;

    AddressRecipients(
            RecipientConfig config,
            SmtpPolicy policy,
            AddressIdCodec codec,
            ClosedAddressSet closed,
            InstantSource clock) {
        this.receiveDomain = canonical(config.domain());
        this.sendDomain = canonical(config.sendDomain());
        if (policy.postmaster() != null) {
            Mailbox mailbox = policy.postmaster().mailbox();
            String domain = canonical(mailbox.domain());
            // Mail that is relayed to our own domain would come back.
            ValidSetting.require(
                    !domain.equals(receiveDomain) && !domain.equals(sendDomain),
                    "oneshot.smtp.postmaster must not be in the receive or the send domain: " + mailbox);
        }
        this.codec = codec;
        this.closed = closed;
        this.clock = clock;
    }

    @Override
    public Decision decide(Mailbox mailbox, ReversePath reversePath) {
        // Most clients write the domain like this, so no IDNA is needed.
        String domain = mailbox.domain().equals(receiveDomain) ? receiveDomain : canonical(mailbox.domain());
        boolean receives = domain.equals(receiveDomain);
        boolean sends = domain.equals(sendDomain);
        if (!receives && !sends) {
            return Decision.Refused.OTHER_DOMAIN;
        }
        if (ForwardPath.isRole(mailbox.localPart())) {
            return Decision.Refused.POSTMASTER;
        }
        Optional<AddressId> live = codec.verify(mailbox.localPart())
                .filter(id -> id.expiresBy().isAfter(clock.instant()))
                .filter(id -> closed.state(id) != ClosedAddressSet.State.DELETED);
        if (live.isEmpty()) {
            return Decision.Refused.NO_SUCH_ADDRESS;
        }
        AddressId id = live.get();
        SizeClass size = id.sizeClass();
        if (receives && id.takesMail()) {
            boolean used = closed.state(id) == ClosedAddressSet.State.RECEIVED;
            return new Decision.Accepted(
                    new Recipient(id.text(), mailbox, size.messageBytesMax(), size.attachmentBytesMax(), used));
        }
        if (sends && !id.takesMail() && reversePath instanceof ReversePath.Null) {
            long messageBytesMax = NOTIFICATION_FACTOR * (long) size.messageBytesMax();
            return new Decision.Accepted(
                    new Recipient(id.text(), mailbox, messageBytesMax, Long.MAX_VALUE, false, Recipient.Kind.SENDING));
        }
        return receives || id.takesMail() ? Decision.Refused.NO_SUCH_ADDRESS : Decision.Refused.OTHER_DOMAIN;
    }

    /** Closes the addresses now. The topic of closed addresses has them later, when the mail is in the database. */
    @Override
    public void stored(List<Recipient> recipients) {
        for (Recipient recipient : recipients) {
            if (recipient.kind() == Recipient.Kind.RECEIVING) {
                codec.verify(recipient.addressId()).ifPresent(closed::addReceived);
            }
        }
    }

    /** Lower case, with the A-labels of an international domain (RFC 5890 §2.3.2.1) if it is valid. */
    private static String canonical(String domain) {
        return DomainNames.canonical(domain).orElseGet(() -> domain.toLowerCase(Locale.ROOT));
    }
}
