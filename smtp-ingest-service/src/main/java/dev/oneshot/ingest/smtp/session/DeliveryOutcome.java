package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Envelope;

/** The outcome of a {@link MailTransaction}. */
public enum DeliveryOutcome {
    /** Stored durably for every recipient: 250. */
    STORED,
    /** Not known to be stored for every recipient: 451, and the sender retries. */
    UNAVAILABLE,
    /** Not stored: an attachment is larger than {@link Envelope#attachmentBytesMax()}. 552, no retry. */
    ATTACHMENT_TOO_LARGE,
    /** Not stored for lack of memory: 452, and the sender retries. */
    OVERLOADED
}
