package dev.oneshot.client;

import java.time.Instant;

/**
 * The summary of an e-mail in its {@link Address}: {@code address.email().subject()}.
 *
 * @param from the address in the field From, or empty
 * @param subject its first 1,000 characters, or empty
 * @param receivedAt when the service received it
 * @param sizeBytes the size of the raw e-mail in bytes
 * @param hasAttachments whether there are attachments
 * @param attachmentCount how many
 */
public record EmailSummary(
        String from, String subject, Instant receivedAt, long sizeBytes, boolean hasAttachments, int attachmentCount) {}
