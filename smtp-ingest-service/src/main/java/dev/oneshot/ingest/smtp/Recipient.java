package dev.oneshot.ingest.smtp;

/**
 * An accepted recipient.
 *
 * @param addressId the id of the one-shot address, in lower case
 * @param mailbox as the client wrote it
 * @param messageBytesMax the largest message it accepts, in octets as the client counts them
 * @param attachmentBytesMax the largest attachment it accepts, in decoded octets
 * @param used whether it has its one mail, and accepts only a retry of that mail
 */
public record Recipient(
        String addressId, Mailbox mailbox, long messageBytesMax, long attachmentBytesMax, boolean used) {}
