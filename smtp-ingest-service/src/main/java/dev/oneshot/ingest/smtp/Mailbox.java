package dev.oneshot.ingest.smtp;

import java.util.Objects;
import java.util.Optional;

/**
 * A mailbox as RFC 5321 §4.1.2 has it (RFC 6531 §3.3 when it is not ASCII).
 *
 * @param localPart what stands before the {@code @}, without quotes and without the backslashes of quoted pairs
 * @param domain a domain or an address literal with its brackets, as it was written
 */
public record Mailbox(String localPart, String domain) {

    /**
     * The longest local part read, in octets. RFC 5321 §4.5.3.1.1 asks for 64 at least; the return addresses of
     * mailing lists are often longer.
     */
    public static final int LOCAL_PART_BYTES_MAX = 256;

    /** The longest domain, in octets (RFC 5321 §4.5.3.1.2). */
    public static final int DOMAIN_BYTES_MAX = 255;

    public Mailbox {
        Objects.requireNonNull(localPart, "localPart");
        Objects.requireNonNull(domain, "domain");
    }

    /** Reads a mailbox as {@link #toString} writes it; empty if it is none. */
    public static Optional<Mailbox> parse(String text) {
        Grammar grammar = new Grammar('<' + text + '>');
        Mailbox mailbox = grammar.path();
        // A path may have a source route in front, which is no part of a mailbox.
        return grammar.atEnd() && !text.startsWith("@") ? Optional.ofNullable(mailbox) : Optional.empty();
    }

    /** Whether only SMTPUTF8 could carry this. */
    public boolean isInternational() {
        return !isAscii(localPart) || !isAscii(domain);
    }

    /** The mailbox as it is written in a path: quoted where the grammar wants quotes, without brackets. */
    @Override
    public String toString() {
        return (isDotString() ? localPart : quoted()) + '@' + domain;
    }

    private boolean isDotString() {
        boolean atomBegins = true;
        for (int i = 0; i < localPart.length(); i++) {
            char c = localPart.charAt(i);
            if (c == '.' ? atomBegins : !Grammar.isAtomText(c)) {
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

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
