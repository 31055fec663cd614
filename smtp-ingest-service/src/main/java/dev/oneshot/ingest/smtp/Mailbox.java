package dev.oneshot.ingest.smtp;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * A mailbox (RFC 5321 §4.1.2; RFC 6531 §3.3 if it is not ASCII).
 *
 * @param localPart the part before the {@code @}, without quotes and without the backslashes of quoted pairs
 * @param domain a domain, or an address literal with its brackets, as written
 */
public record Mailbox(String localPart, String domain) {

    /**
     * The longest local part, in octets. RFC 5321 §4.5.3.1.1 requires at least 64; the return addresses of mailing
     * lists are often longer.
     */
    public static final int LOCAL_PART_BYTES_MAX = 256;

    /** The longest domain, in octets (RFC 5321 §4.5.3.1.2). */
    public static final int DOMAIN_BYTES_MAX = 255;

    /** ASCII letters and digits, and all non-ASCII characters (RFC 6531 §3.3), for use inside a character class. */
    public static final String LETTERS_AND_DIGITS = "A-Za-z0-9\\x{80}-\\x{10FFFF}";

    private static final String ATOM = "[" + LETTERS_AND_DIGITS + "!#$%&'*+/=?^_`{|}~-]++";
    /** A local part without quotes (RFC 5321 §4.1.2, RFC 6531 §3.3). */
    public static final String DOT_STRING = ATOM + "(?:\\." + ATOM + ")*+";

    private static final Pattern UNQUOTED = Pattern.compile(DOT_STRING);
    private static final Pattern TO_ESCAPE = Pattern.compile("[\"\\\\]");

    /** Whether it needs SMTPUTF8. */
    public boolean isInternational() {
        return isInternational(localPart + domain);
    }

    static boolean isInternational(String text) {
        return !StandardCharsets.US_ASCII.newEncoder().canEncode(text);
    }

    /** The mailbox as in a path, without brackets: quoted where the grammar requires it. */
    @Override
    public String toString() {
        return written(localPart) + '@' + domain;
    }

    /** A local part as in a path. */
    static String written(String localPart) {
        return UNQUOTED.matcher(localPart).matches()
                ? localPart
                : '"' + TO_ESCAPE.matcher(localPart).replaceAll("\\\\$0") + '"';
    }
}
