package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Finds the first mailbox in an address list (RFC 5322 §3.4, obsolete forms of §4.4): groups, comments, quoted
 * strings, routes, and display names that lack quotes.
 */
public final class Mailboxes {

    /** Far above the limit of RFC 5321 §4.5.3.1; longer text is no address. */
    private static final int ADDRESS_MAX = 1_000;

    /** A local part: without quotes, blanks and the specials of RFC 5322 §3.2.3. */
    private static final Pattern WORD = Pattern.compile("[^\\s()<>\\[\\]:;@\\\\,\"]{1," + ADDRESS_MAX + "}");

    private final String field;
    private final StringBuilder bare = new StringBuilder();
    private boolean bareHasAt;
    private String localPart = "";
    private int at;

    /** No comment, quote or literal ends from here on, so their opening characters are literal. */
    private boolean commentsBroken;

    private boolean quotesBroken;
    private boolean literalsBroken;

    private Mailboxes(String field) {
        this.field = field;
    }

    /** The addr-spec, its domain in lower case; empty if there is none with an {@code @}. */
    public static String first(byte[] value) {
        String address = new Mailboxes(new String(value, StandardCharsets.ISO_8859_1)).first();
        if (address.isEmpty()) {
            // Some programs encode the whole field with the address, against RFC 2047 §5.
            byte[] decoded = HeaderText.decode(value).getBytes(StandardCharsets.UTF_8);
            address = new Mailboxes(new String(decoded, StandardCharsets.ISO_8859_1)).first();
        }
        byte[] octets = address.getBytes(StandardCharsets.ISO_8859_1);
        String decoded = HeaderText.clean(Charsets.decode("", octets, 0, octets.length));
        int domain = decoded.lastIndexOf('@') + 1;
        return decoded.substring(0, domain) + decoded.substring(domain).toLowerCase(Locale.ROOT);
    }

    /**
     * The first word in angle brackets that has no domain, as in {@code Mail Delivery Subsystem <MAILER-DAEMON>}; empty
     * if there is none.
     */
    static String firstLocalPart(byte[] value) {
        Mailboxes mailboxes = new Mailboxes(new String(value, StandardCharsets.ISO_8859_1));
        var _ = mailboxes.first();
        return HeaderText.decode(mailboxes.localPart.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String first() {
        while (at < field.length()) {
            char c = field.charAt(at);
            String found = "";
            switch (c) {
                case '(' -> comment(bare);
                case '"' -> quotedString(bare);
                case '[' -> domainLiteral();
                case '<' -> {
                    String inside = angleAddress();
                    found = address(inside);
                    if (localPart.isEmpty() && WORD.matcher(inside).matches()) {
                        localPart = inside;
                    }
                }
                case ',', ';' -> {
                    found = bareAddress();
                    at++;
                }
                case ':' -> {
                    // A colon ends the name of a group, except inside an address.
                    if (!bareHasAt) {
                        bare.setLength(0);
                    }
                    at++;
                }
                case '>' -> {
                    // A closing bracket without an opening one.
                    bare.append(' ');
                    at++;
                }
                default -> {
                    bareHasAt |= c == '@';
                    bare.append(c);
                    at++;
                }
            }
            if (!found.isEmpty()) {
                return found;
            }
        }
        return bareAddress();
    }

    /** The address before a separator without angle brackets: the last word with an {@code @}. */
    private String bareAddress() {
        String text = bare.toString().strip();
        bare.setLength(0);
        bareHasAt = false;
        String whole = address(text);
        if (!whole.isEmpty()) {
            return whole;
        }
        int end = text.length();
        while (end > 0) {
            int start = end;
            while (start > 0 && text.charAt(start - 1) > ' ') {
                start--;
            }
            String word = address(text.substring(start, end));
            if (!word.isEmpty()) {
                return word;
            }
            end = start;
            while (end > 0 && text.charAt(end - 1) <= ' ') {
                end--;
            }
        }
        return "";
    }

    private String angleAddress() {
        StringBuilder inside = new StringBuilder();
        bare.setLength(0);
        at++;
        while (at < field.length() && field.charAt(at) != '>') {
            char c = field.charAt(at);
            if (c == '(') {
                comment(inside);
            } else if (c == '"') {
                quotedString(inside);
            } else if (c == '<') {
                inside.setLength(0);
                at++;
            } else {
                inside.append(c);
                at++;
            }
        }
        at++;
        String address = inside.toString().strip();
        // Before a colon outside quotes: a source route (RFC 5322 §4.4), or mailto.
        int colon = address.indexOf('"') < 0 ? address.indexOf(':') : -1;
        boolean literal = colon > 0 && address.lastIndexOf('[', colon) >= 0;
        return colon < 0 || literal ? address : address.substring(colon + 1);
    }

    private void quotedString(StringBuilder into) {
        int start = at;
        int length = into.length();
        into.append(field.charAt(at++));
        while (!quotesBroken && at < field.length() && field.charAt(at) != '"') {
            if (field.charAt(at) == '\\' && at + 1 < field.length()) {
                into.append(field.charAt(at++));
            }
            into.append(field.charAt(at++));
        }
        if (at < field.length() && !quotesBroken) {
            into.append(field.charAt(at++));
        } else {
            quotesBroken = true;
            into.setLength(length);
            at = start + 1;
        }
    }

    /** Takes a literal up to its closing bracket; a bracket that is never closed is literal. */
    private void domainLiteral() {
        int end = literalsBroken ? -1 : field.indexOf(']', at);
        literalsBroken = end < 0;
        end = literalsBroken ? at + 1 : end;
        bare.append(field, at, end);
        at = end;
    }

    /** Skips a comment; the parenthesis of one that never ends is literal. */
    private void comment(StringBuilder into) {
        int start = at;
        int depth = 0;
        while (!commentsBroken && at < field.length()) {
            char c = field.charAt(at++);
            if (c == '\\') {
                at++;
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && --depth == 0) {
                return;
            }
        }
        commentsBroken = true;
        into.append('(');
        at = start + 1;
    }

    /** The addr-spec in {@code text} without the blanks of the obsolete syntax; empty if there is none. */
    private static String address(String text) {
        StringBuilder address = new StringBuilder();
        boolean quoted = false;
        int atSign = -1;
        int wordEnd = -1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted || c > ' ') {
                boolean separator = c == '@' || c == '.' || address.isEmpty() || wordEnd < 0;
                char before = address.isEmpty() ? '.' : address.charAt(address.length() - 1);
                if (!separator && before != '@' && before != '.') {
                    return "";
                }
                wordEnd = -1;
            } else {
                wordEnd = address.length();
                continue;
            }
            if (c == '\\' && quoted && i + 1 < text.length()) {
                address.append(c);
                c = text.charAt(++i);
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == '@' && !quoted) {
                atSign = address.length();
            }
            address.append(c);
        }
        boolean valid = atSign > 0 && atSign < address.length() - 1 && address.length() <= ADDRESS_MAX;
        return valid ? address.toString() : "";
    }
}
