package dev.oneshot.ingest.smtp;

/** One command of a client, read and found well-formed. */
sealed interface Command {

    /** EHLO or HELO (RFC 5321 §4.1.1.1). */
    record Hello(boolean extended, String name) implements Command {}

    /** MAIL (RFC 5321 §4.1.1.2). */
    record Mail(ReversePath reversePath, MailParameters parameters) implements Command {}

    /** RCPT (RFC 5321 §4.1.1.3); the DSN parameters (RFC 3461 §4) have been read and say nothing to us. */
    record Rcpt(ForwardPath forwardPath) implements Command {}

    /** DATA (RFC 5321 §4.1.1.4). */
    record Data() implements Command {}

    /** BDAT (RFC 3030 §2). */
    record Bdat(long chunkBytes, boolean last) implements Command {}

    /** RSET (RFC 5321 §4.1.1.5). */
    record Rset() implements Command {}

    /** VRFY (RFC 5321 §4.1.1.6). */
    record Vrfy() implements Command {}

    /** HELP (RFC 5321 §4.1.1.8). */
    record Help() implements Command {}

    /** NOOP (RFC 5321 §4.1.1.9). */
    record Noop() implements Command {}

    /** QUIT (RFC 5321 §4.1.1.10). */
    record Quit() implements Command {}

    /** STARTTLS (RFC 3207). */
    record StartTls() implements Command {}
}
