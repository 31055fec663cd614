package dev.oneshot.ingest.delivery;

import dev.oneshot.contracts.content.MailContent;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.InboundEvent;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.PostmasterMail;
import dev.oneshot.contracts.event.SendBounced;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.message.DeliveryStatus;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import dev.oneshot.message.MessageStructure;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A complete message with its structure, from which the events of its recipients are made.
 *
 * @param status empty unless the message is a delivery status notification for send-mode addresses
 * @param refusal why it is not stored, if so
 */
record CompleteMessage(
        MailTransaction transaction,
        MessageStructure structure,
        Optional<DeliveryStatus> status,
        Optional<DeliveryOutcome> refusal) {

    /** Other mail servers use 25 to 50. Each further round of a loop would cost another mail (RFC 5321 §6.3). */
    static final int RECEIVED_FIELDS_MAX = 30;

    /** RFC 5321 §4.5.4.1. */
    private static final Duration RELAYED_WITHIN = Duration.ofDays(5);

    /** Reads a message, including the trace fields that ingest added. */
    static CompleteMessage of(MailTransaction transaction, Octets raw) {
        MessageStructure structure = MessageReader.read(
                raw.array(), raw.offset(), raw.length(), transaction.octets().traceLength(), MessageLimits.DEFAULTS);
        Optional<DeliveryStatus> status = transaction.envelope().kind() == Recipient.Kind.SENDING
                ? DeliveryStatus.of(structure, raw.array(), raw.offset())
                : Optional.empty();
        return new CompleteMessage(transaction, structure, status, refusal(transaction, raw, structure, status));
    }

    private static Optional<DeliveryOutcome> refusal(
            MailTransaction transaction, Octets raw, MessageStructure structure, Optional<DeliveryStatus> status) {
        if (structure.largestAttachmentBytes() > transaction.envelope().attachmentBytesMax()) {
            return Optional.of(DeliveryOutcome.ATTACHMENT_TOO_LARGE);
        }
        return switch (transaction.envelope().kind()) {
            case RECEIVING -> Optional.empty();
            case SENDING -> status.isEmpty() ? Optional.of(DeliveryOutcome.NO_FAILURE_NOTICE) : Optional.empty();
            case POSTMASTER -> relayRefusal(raw, structure);
        };
    }

    private static Optional<DeliveryOutcome> relayRefusal(Octets raw, MessageStructure structure) {
        long received = structure.headers().stream()
                .filter(field -> field.name().equalsIgnoreCase("received"))
                .count();
        if (received > RECEIVED_FIELDS_MAX) {
            return Optional.of(DeliveryOutcome.LOOP);
        }
        return isRelayable(raw) ? Optional.empty() : Optional.of(DeliveryOutcome.NOT_RELAYABLE);
    }

    /** A line end of CR or LF alone could end the data early at the relay, and what follows would be commands. */
    private static boolean isRelayable(Octets raw) {
        byte[] octets = raw.array();
        int end = raw.offset() + raw.length();
        for (int i = raw.offset(); i < end; i++) {
            boolean afterCr = i > raw.offset() && octets[i - 1] == '\r';
            if (octets[i] == 0 || (octets[i] == '\n') != afterCr) {
                return false;
            }
        }
        return octets[end - 1] != '\r';
    }

    /**
     * What a record carries of the message.
     *
     * @param raw the bytes of the message
     */
    Octets carried(Octets raw) {
        return switch (transaction.envelope().kind()) {
            case RECEIVING -> MailContent.compress(EventCodec.encode(structure), raw);
            case SENDING, POSTMASTER -> raw;
        };
    }

    /**
     * What is stored for a recipient.
     *
     * @param carried what {@link #carried} returned
     * @return empty if nothing is: the mail of a send-mode address has not failed
     */
    Optional<InboundEvent> event(Recipient recipient, SmtpPolicy policy, Octets carried) {
        return switch (recipient.kind()) {
            case RECEIVING ->
                Optional.of(new MailInbound(
                        recipient.addressId(),
                        transaction.receivedAt(),
                        structure.from().isEmpty()
                                ? transaction.envelope().reversePath().text()
                                : structure.from(),
                        MailInbound.shortened(structure.subject()),
                        structure.attachments().size(),
                        carried));
            case SENDING ->
                status.map(DeliveryStatus::failed)
                        .filter(failed -> !failed.isEmpty())
                        .map(failed -> new SendBounced(recipient.addressId(), failed, transaction.receivedAt()));
            case POSTMASTER ->
                Optional.of(new PostmasterMail(
                        PostmasterMail.ID_PREFIX + UUID.randomUUID(),
                        Objects.requireNonNull(policy.postmaster()).mailbox().toString(),
                        transaction.receivedAt(),
                        transaction.receivedAt().plus(RELAYED_WITHIN),
                        carried));
        };
    }
}
