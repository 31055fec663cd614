package dev.oneshot.ingest.smtp.session;

/** The event that a session waits for. It selects the transport's timeouts. */
public enum Phase {
    /** A command. */
    COMMAND,
    /** The content of a message, or its next chunk. */
    CONTENT,
    /** Memory for the next octets of a message; the client waits too. */
    MEMORY,
    /** The outcome of a delivery, or a TLS handshake. */
    BUSY,
    /** Nothing. */
    CLOSED
}
