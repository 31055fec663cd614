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
    /** Not stored: it is no delivery status notification, and a send-mode address takes no other mail. 550. */
    NO_FAILURE_NOTICE,
    /** Not stored: it is to be relayed, and has passed too many servers. 554. */
    LOOP,
    /** Not stored: it is to be relayed, and SMTP cannot carry its octets. 554. */
    NOT_RELAYABLE,
    /** Not stored for lack of memory: 452, and the sender retries. */
    OVERLOADED
}
