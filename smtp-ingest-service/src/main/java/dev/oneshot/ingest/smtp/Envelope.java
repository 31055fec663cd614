package dev.oneshot.ingest.smtp;

import java.util.List;

/**
 * The sender and the recipients (RFC 5321 §2.3.1).
 *
 * @param recipients at least one, without duplicates, all of one kind
 */
public record Envelope(ReversePath reversePath, List<Recipient> recipients) {

    public Envelope {
        recipients = List.copyOf(recipients);
        if (recipients.isEmpty()) {
            throw new IllegalArgumentException("an envelope has at least one recipient");
        }
        if (recipients.stream().map(Recipient::kind).distinct().count() > 1) {
            throw new IllegalArgumentException("an envelope has recipients of one kind");
        }
    }

    public Recipient.Kind kind() {
        return recipients.getFirst().kind();
    }

    /** The smallest limit of the recipients, which applies to all. */
    public long messageBytesMax() {
        return recipients.stream().mapToLong(Recipient::messageBytesMax).min().orElseThrow();
    }

    /** The largest attachment that all recipients accept, in decoded octets. */
    public long attachmentBytesMax() {
        return recipients.stream()
                .mapToLong(Recipient::attachmentBytesMax)
                .min()
                .orElseThrow();
    }
}
