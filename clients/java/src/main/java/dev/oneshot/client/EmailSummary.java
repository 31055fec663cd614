package dev.oneshot.client;

import java.time.Instant;

/**
 * What an {@link Address} shows of its e-mail: {@code address.email().subject()}.
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
