package dev.oneshot.client;

/** The state of an address. */
public enum Status {
    /** It receives, and no e-mail has arrived. */
    WAITING,
    /** Its e-mail can be read. */
    RECEIVED,
    /** Its time is up. Its e-mail is deleted; the list shows it for 30 days. */
    EXPIRED,
    /** It sends, and the e-mail is accepted for sending. */
    SENT,
    /** A state that a later version of the service has added. */
    UNKNOWN
}
