package dev.oneshot.ingest.smtp;

import java.util.Objects;

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

    private static final String ATOM_SPECIALS = "!#$%&'*+-/=?^_`{|}~";

    public Mailbox {
        Objects.requireNonNull(localPart, "localPart");
        Objects.requireNonNull(domain, "domain");
    }

    /** Whether it needs SMTPUTF8. */
    public boolean isInternational() {
        return !isAscii(localPart) || !isAscii(domain);
    }

    /** The mailbox as in a path, without brackets: quoted where the grammar requires it. */
    @Override
    public String toString() {
        return (isDotString() ? localPart : quoted()) + '@' + domain;
    }

    private boolean isDotString() {
        boolean atomBegins = true;
        for (int i = 0; i < localPart.length(); i++) {
            char c = localPart.charAt(i);
            if (c == '.' ? atomBegins : !isAtomText(c)) {
                return false;
            }
            atomBegins = c == '.';
        }
        return !atomBegins;
    }

    private String quoted() {
        StringBuilder text = new StringBuilder(localPart.length() + 2).append('"');
        for (int i = 0; i < localPart.length(); i++) {
            char c = localPart.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c);
        }
        return text.append('"').toString();
    }

    /** Whether a character is allowed in an atom (RFC 5322 §3.2.3, RFC 6531 §3.3). */
    private static boolean isAtomText(int c) {
        boolean letterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        return letterOrDigit || c >= 0x80 || ATOM_SPECIALS.indexOf(c) >= 0;
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
