package dev.oneshot.ingest.smtp;

/**
 * An accepted recipient.
 *
 * @param addressId the id of the one-shot address, in lower case
 * @param mailbox as the client wrote it
 * @param messageBytesMax the largest message it accepts, in octets as the client counts them
 * @param attachmentBytesMax the largest attachment it accepts, in decoded octets
 * @param used whether it has its one mail, and accepts only a retry of that mail
 * @param kind what becomes of its mail
 */
public record Recipient(
        String addressId, Mailbox mailbox, long messageBytesMax, long attachmentBytesMax, boolean used, Kind kind) {

    /** What becomes of a recipient's mail. */
    public enum Kind {
        /** It is stored for the owner of a receive-mode address. */
        RECEIVING,
        /** A delivery status notification (RFC 3464) about the mail of a send-mode address. */
        SENDING,
        /** It is relayed to the operator's mailbox; the id is {@link ForwardPath#POSTMASTER}. */
        POSTMASTER
    }

    /** A receive-mode address. */
    public Recipient(String addressId, Mailbox mailbox, long messageBytesMax, long attachmentBytesMax, boolean used) {
        this(addressId, mailbox, messageBytesMax, attachmentBytesMax, used, Kind.RECEIVING);
    }

    /** {@code postmaster} or {@code abuse}. */
    public static Recipient postmaster(Mailbox mailbox, long messageBytesMax) {
        return new Recipient(ForwardPath.POSTMASTER, mailbox, messageBytesMax, Long.MAX_VALUE, false, Kind.POSTMASTER);
    }
}
