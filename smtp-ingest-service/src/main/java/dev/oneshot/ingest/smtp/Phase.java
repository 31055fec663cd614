package dev.oneshot.ingest.smtp;

/** What a session waits for: it decides which bounds of time the transport applies. */
public enum Phase {
    /** A command. */
    COMMAND,
    /** The content of a message, or its next chunk. */
    CONTENT,
    /** Memory for the next octets of a message: the client waits as well. */
    ROOM,
    /** The outcome of a delivery, or a TLS handshake: not the client's next line. */
    BUSY,
    /** Nothing. */
    CLOSED
}
