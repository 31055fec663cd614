package dev.oneshot.ingest.smtp.command;

import dev.oneshot.ingest.smtp.ForwardPath;
import dev.oneshot.ingest.smtp.ReversePath;

/** A well-formed command. */
public sealed interface Command {

    /**
     * EHLO or HELO (RFC 5321 §4.1.1.1).
     *
     * @param extended true for EHLO
     * @param name the client's name; not verified
     */
    record Hello(boolean extended, String name) implements Command {}

    /**
     * MAIL (RFC 5321 §4.1.1.2).
     *
     * @param declaredBytes the size that the client declares (RFC 1870), 0 if none; only a hint
     * @param binaryMime whether lines of the content may have any length and any octets (RFC 3030)
     * @param smtpUtf8 whether addresses and header may be UTF-8 (RFC 6531)
     */
    record Mail(ReversePath reversePath, long declaredBytes, boolean binaryMime, boolean smtpUtf8) implements Command {}

    /** RCPT (RFC 5321 §4.1.1.3). The DSN parameters (RFC 3461 §4) are ignored. */
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
