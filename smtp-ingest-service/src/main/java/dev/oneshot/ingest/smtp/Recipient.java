package dev.oneshot.ingest.smtp;

/**
 * A recipient that has been accepted.
 *
 * @param addressId the id of the one-shot address, in lower case
 * @param mailbox as the client wrote it
 * @param messageBytesMax the largest message it takes, in octets as the client counts them
 * @param attachmentBytesMax the largest attachment it takes, in octets once decoded
 * @param used whether it has had its one mail, and takes no other than that one again
 */
public record Recipient(
        String addressId, Mailbox mailbox, long messageBytesMax, long attachmentBytesMax, boolean used) {}
