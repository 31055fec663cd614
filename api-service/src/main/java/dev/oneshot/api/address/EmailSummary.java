package dev.oneshot.api.address;

import java.time.Instant;

/**
 * What a list shows of a received mail.
 *
 * @param subject its first 1,000 characters
 * @param sizeBytes of the message as it is stored
 */
public record EmailSummary(String from, String subject, Instant receivedAt, int sizeBytes, int attachmentCount) {}
