package dev.oneshot.local.bench.ingest;

/** How a client sends its messages. */
public enum SmtpMode {
    /** A connection for each message; each command waits for the last reply. */
    ONE("one a connection"),
    /** Many messages on a connection; each command waits for the last reply. */
    KEPT("kept connection"),
    /** As kept, with MAIL, RCPT and DATA in one write (RFC 2920). */
    PIPELINED("pipelined");

    private final String words;

    SmtpMode(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
