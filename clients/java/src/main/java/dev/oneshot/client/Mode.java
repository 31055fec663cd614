package dev.oneshot.client;

/** Whether an address receives or sends. */
public enum Mode {
    /** It waits for one e-mail. */
    RECEIVE,
    /** It has sent one e-mail. */
    SEND,
    /** A mode that a later version of the service has added. */
    UNKNOWN
}
