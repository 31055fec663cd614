package dev.oneshot.ingest.smtp;

/** What became of a {@link MailTransaction}. */
public enum DeliveryOutcome {
    /** Stored durably for every recipient: 250. */
    STORED,
    /** Not known to be stored for every recipient: 451, and the sender tries again. */
    UNAVAILABLE,
    /** Not stored: an attachment is larger than {@link Envelope#attachmentBytesMax()}. 552, and nobody tries again. */
    ATTACHMENT_TOO_LARGE,
    /** No room to work on it: 452, and the sender tries again. */
    OVERLOADED
}
