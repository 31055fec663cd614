package dev.oneshot.ingest.smtp;

import java.util.List;

/**
 * Who sends, and who receives (RFC 5321 §2.3.1).
 *
 * @param recipients at least one, none twice
 */
public record Envelope(ReversePath reversePath, List<Recipient> recipients) {

    public Envelope {
        recipients = List.copyOf(recipients);
        if (recipients.isEmpty()) {
            throw new IllegalArgumentException("an envelope has a recipient at least");
        }
    }

    /** The smallest limit of the recipients: it decides for all. */
    long messageBytesMax() {
        return recipients.stream().mapToLong(Recipient::messageBytesMax).min().orElseThrow();
    }

    /** The largest attachment that all of the recipients take, in octets once decoded. */
    public long attachmentBytesMax() {
        return recipients.stream()
                .mapToLong(Recipient::attachmentBytesMax)
                .min()
                .orElseThrow();
    }
}
