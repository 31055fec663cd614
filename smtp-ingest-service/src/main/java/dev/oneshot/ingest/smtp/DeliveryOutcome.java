package dev.oneshot.ingest.smtp;

/** What became of a {@link MailTransaction}. */
public enum DeliveryOutcome {
    /** Stored durably for every recipient: 250. */
    STORED,
    /** Not known to be stored for every recipient: 451, and the sender tries again. */
    UNAVAILABLE,
    /** No room to work on it: 452, and the sender tries again. */
    OVERLOADED
}
