package dev.oneshot.authentication.results;

import dev.oneshot.message.ALabels;
import java.net.IDN;
import java.util.Locale;
import java.util.regex.Pattern;

/** The server's name in Authentication-Results fields, usually a host name (RFC 8601 §2.5). */
public final class AuthservId {

    private static final int CHARACTERS_MAX = 255;
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+._`{|}~^-]{1," + CHARACTERS_MAX + "}");

    /** The most UTF-16 units of a decomposed Unicode name for each character of its ASCII form. */
    private static final int UNICODE_EXPANSION_MAX = 4;

    private static final int ASCII_MAX = 0x7F;

    private final String name;

    private AuthservId(String name) {
        this.name = name;
    }

    /** @throws IllegalArgumentException unless it is a token (RFC 2045 §5.1) of at most 255 characters */
    public static AuthservId of(String text) {
        if (!TOKEN.matcher(text).matches()) {
            throw new IllegalArgumentException("not a token such as a host name (RFC 8601 §2.5): " + text);
        }
        return new AuthservId(canonical(text));
    }

    /**
     * Whether a field with this value has the name in any spelling: comments, quotes, case, folding, white space
     * around dots, a dot at the end, U-labels. Encoded words are forbidden there (RFC 2047 §5), but some readers
     * decode them to any name, so they count as the name. Some readers skip characters that are not shown, and some
     * stop there.
     */
    public boolean isIn(String value) {
        ShownText skipping = new ShownText(value, false);
        return isIn(skipping) || (skipping.hasHidden() && isIn(new ShownText(value, true)));
    }

    /** The name as it is compared: in lower case. */
    @Override
    public String toString() {
        return name;
    }

    private boolean isIn(ShownText value) {
        int max = name.length() * UNICODE_EXPANSION_MAX + 1;
        StringBuilder id = new StringBuilder();
        int comments = 0;
        boolean apart = false;
        for (int next = value.next(); next >= 0 && id.length() <= max; next = value.next()) {
            char c = (char) next;
            if (c == '=' && value.peek() == '?' && !(apart && isWhole(id, '='))) {
                return true;
            }
            if (c == '(') {
                comments++;
                apart = true;
            } else if (comments > 0) {
                comments -= c == ')' ? 1 : 0;
                if (c == '\\') {
                    value.next();
                }
            } else if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                apart = true;
            } else if (c != '"' && c != '\\') {
                if (";=/<>@,:?[])".indexOf(c) >= 0 || (apart && isWhole(id, c))) {
                    break;
                }
                apart = false;
                id.append(c);
            }
        }
        return id.length() <= max && canonical(id.toString()).equals(name);
    }

    /** Whether text after white space is not part of the name: a version, for example. */
    private boolean isWhole(StringBuilder id, char next) {
        if (id.isEmpty()) {
            return false;
        }
        boolean joined = next == '.' || id.charAt(id.length() - 1) == '.';
        return !joined || rooted(id.toString()).equalsIgnoreCase(name);
    }

    private static String canonical(String id) {
        String rooted = rooted(id);
        if (rooted.chars().allMatch(c -> c <= ASCII_MAX)) {
            return rooted.toLowerCase(Locale.ROOT);
        }
        try {
            return ALabels.of(rooted, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException _) {
            // Not a domain name: compared literally.
            return rooted.toLowerCase(Locale.ROOT);
        }
    }

    private static String rooted(String id) {
        return id.endsWith(".") ? id.substring(0, id.length() - 1) : id;
    }
}
