package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A message with its envelope, as SMTP sends it.
 *
 * @param reversePath the argument of MAIL, without brackets; empty for the null reverse-path
 * @param forwardPath the argument of RCPT, without brackets; its domain in A-labels
 * @param eightBit whether the message needs a relay with 8BITMIME (RFC 6152)
 * @param message writes header and body
 * @param sevenBit composes the same mail for a relay without 8BITMIME; empty if it cannot be changed
 */
public record SmtpMail(
        String reversePath,
        String forwardPath,
        boolean eightBit,
        MimeBody message,
        Supplier<Optional<SmtpMail>> sevenBit) {

    /**
     * A received message that is relayed unchanged and not signed. Its reverse-path is null, so no server replies to
     * it (RFC 5321 §4.5.5).
     */
    public static SmtpMail relayed(String forwardPath, Octets raw) {
        MimeBody message = to -> to.write(raw.array(), raw.offset(), raw.length());
        return new SmtpMail("", forwardPath, isEightBit(raw), message, Optional::empty);
    }

    /** Whether there are bytes above 127. */
    static boolean isEightBit(Octets octets) {
        for (int i = octets.offset(); i < octets.offset() + octets.length(); i++) {
            if (octets.array()[i] < 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the forward-path needs a relay with SMTPUTF8 (RFC 6531). UTF-8 in a header does not count: more relays accept it
     * with 8BITMIME than offer SMTPUTF8.
     */
    public boolean internationalized() {
        return !StandardCharsets.US_ASCII.newEncoder().canEncode(forwardPath);
    }
}
