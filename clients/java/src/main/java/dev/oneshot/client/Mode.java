package dev.oneshot.client;

/** What an address is for. */
public enum Mode {
    /** It waits for one e-mail. */
    RECEIVE,
    /** It has sent one e-mail. */
    SEND,
    /** A mode that a later version of the service has added. */
    UNKNOWN
}
