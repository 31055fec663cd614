package dev.oneshot.mailer.compose;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A message with its envelope, as SMTP sends it. */
public interface SmtpMail {

    /** The argument of MAIL, without brackets; empty for the null reverse-path. */
    String reversePath();

    /** The argument of RCPT, without brackets; its domain in A-labels. */
    String forwardPath();

    /**
     * Whether the forward-path needs a relay with SMTPUTF8 (RFC 6531). UTF-8 in a header does not count: more relays accept it
     * with 8BITMIME than offer SMTPUTF8.
     */
    default boolean internationalized() {
        return !StandardCharsets.US_ASCII.newEncoder().canEncode(forwardPath());
    }

    /** Whether it has 8-bit bytes and needs a relay with 8BITMIME (RFC 6152). */
    boolean eightBit();

    /** Writes the message, whose line ends are CRLF, not dot-stuffed. Does not close {@code to}. */
    void writeTo(OutputStream to) throws IOException;
}
