package dev.oneshot.ingest.smtp.command;

import dev.oneshot.ingest.smtp.ForwardPath;
import dev.oneshot.ingest.smtp.Mailbox;
import java.net.Inet6Address;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses a line by the grammar of RFC 5321 §4.1.2, with the letters of RFC 6531 §3.3. Each method parses one
 * production at the current position, or fails and leaves the position unchanged.
 */
public final class Grammar {

    private static final String IPV4_OCTET = "(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(IPV4_OCTET + "(?:\\." + IPV4_OCTET + "){3}");
    private static final Pattern GENERAL_LITERAL = Pattern.compile("[A-Za-z0-9-]*[A-Za-z0-9]:[!-Z\\]-~]+");

    private final String line;
    private int at;

    Grammar(String line) {
        this.line = line;
    }

    /** Parses a mailbox as {@link Mailbox#toString} writes it; empty if it is none. */
    public static Optional<Mailbox> mailbox(String text) {
        Grammar grammar = new Grammar('<' + text + '>');
        Mailbox mailbox = grammar.path();
        // A path may begin with a source route, a mailbox may not.
        return grammar.atEnd() && !text.startsWith("@") ? Optional.ofNullable(mailbox) : Optional.empty();
    }

    private static boolean isLetterOrDigit(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    boolean atEnd() {
        return at == line.length();
    }

    String rest() {
        return line.substring(at);
    }

    /** Skips blanks; true if there was at least one. */
    boolean blanks() {
        int start = at;
        while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
            at++;
        }
        return at > start;
    }

    boolean literal(String expected) {
        if (!line.regionMatches(true, at, expected, 0, expected.length())) {
            return false;
        }
        at += expected.length();
        return true;
    }

    /** The text up to the next blank; empty if there is none. */
    String word() {
        int start = at;
        while (at < line.length() && line.charAt(at) != ' ' && line.charAt(at) != '\t') {
            at++;
        }
        return line.substring(start, at);
    }

    /** {@code <>}. */
    boolean nullPath() {
        return literal("<>");
    }

    /** {@code <postmaster>} or {@code <abuse>}; null if it is neither. */
    ForwardPath.@Nullable Role rolePath() {
        for (String localPart : List.of(ForwardPath.POSTMASTER, ForwardPath.ABUSE)) {
            if (literal("<" + localPart + ">")) {
                return new ForwardPath.Role(localPart);
            }
        }
        return null;
    }

    /** A path in brackets, without its source route; null if there is none. */
    @Nullable
    Mailbox path() {
        int start = at;
        if (take('<') && sourceRoute()) {
            Mailbox mailbox = mailbox();
            if (mailbox != null && take('>')) {
                return mailbox;
            }
        }
        at = start;
        return null;
    }

    private boolean sourceRoute() {
        if (peek() != '@') {
            return true;
        }
        do {
            if (!take('@') || domain() == null) {
                return false;
            }
        } while (take(','));
        return take(':');
    }

    private @Nullable Mailbox mailbox() {
        String localPart = peek() == '"' ? quotedString() : dotString();
        if (localPart == null || bytes(localPart) > Mailbox.LOCAL_PART_BYTES_MAX || !take('@')) {
            return null;
        }
        String domain = peek() == '[' ? addressLiteral() : domain();
        return domain == null ? null : new Mailbox(localPart, domain);
    }

    private @Nullable String dotString() {
        int start = at;
        do {
            int atom = at;
            while (Mailbox.isAtomText(peek())) {
                at++;
            }
            if (at == atom) {
                return null;
            }
        } while (take('.'));
        return line.substring(start, at);
    }

    private @Nullable String quotedString() {
        StringBuilder text = new StringBuilder();
        at++;
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (c == '"') {
                return text.toString();
            }
            if (c == '\\') {
                if (at == line.length()) {
                    return null;
                }
                c = line.charAt(at++);
            }
            if (c < ' ' || c == 0x7F) {
                return null;
            }
            text.append(c);
        }
        return null;
    }

    /** A domain name; underscores are allowed, as real names have them. */
    @Nullable
    String domain() {
        int start = at;
        do {
            int label = at;
            while (isLabelText(peek()) || peek() == '-') {
                at++;
            }
            if (at == label || line.charAt(label) == '-' || line.charAt(at - 1) == '-') {
                return null;
            }
        } while (take('.'));
        String domain = line.substring(start, at);
        return bytes(domain) > Mailbox.DOMAIN_BYTES_MAX ? null : domain;
    }

    private static boolean isLabelText(int c) {
        return isLetterOrDigit(c) || c == '_' || c >= 0x80;
    }

    /** An address literal with its brackets (RFC 5321 §4.1.3). */
    @Nullable
    String addressLiteral() {
        int start = at;
        int end = line.indexOf(']', at);
        if (peek() != '[' || end < 0) {
            return null;
        }
        String inside = line.substring(start + 1, end);
        boolean valid = inside.regionMatches(true, 0, "IPv6:", 0, 5)
                ? isIpv6(inside.substring(5))
                : isIpv4(inside) || isGeneralLiteral(inside);
        if (!valid || end + 1 - start > Mailbox.DOMAIN_BYTES_MAX) {
            return null;
        }
        at = end + 1;
        return line.substring(start, at);
    }

    static boolean isIpv4(String text) {
        return IPV4.matcher(text).matches();
    }

    static boolean isIpv6(String text) {
        boolean characters =
                text.chars().allMatch(c -> isDigit(c) || c == ':' || c == '.' || "abcdefABCDEF".indexOf(c) >= 0);
        if (!characters || text.indexOf(':') < 0) {
            return false;
        }
        try {
            return Inet6Address.ofLiteral(text) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isGeneralLiteral(String text) {
        return GENERAL_LITERAL.matcher(text).matches();
    }

    private int peek() {
        return at < line.length() ? line.charAt(at) : -1;
    }

    private boolean take(char expected) {
        if (peek() != expected) {
            return false;
        }
        at++;
        return true;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
