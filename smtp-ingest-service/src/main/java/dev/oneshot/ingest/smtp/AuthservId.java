package dev.oneshot.ingest.smtp;

import java.net.IDN;
import java.util.Locale;
import java.util.regex.Pattern;

/** The name that our Authentication-Results fields bear, commonly a host name (RFC 8601 §2.5). */
public final class AuthservId {

    private static final int CHARACTERS_MAX = 255;
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+._`{|}~^-]{1," + CHARACTERS_MAX + "}");

    private final String name;

    private AuthservId(String name) {
        this.name = name;
    }

    /** @throws IllegalArgumentException unless it is a token (RFC 2045 §5.1) of at most 255 characters */
    public static AuthservId of(String text) {
        if (!TOKEN.matcher(text).matches()) {
            throw new IllegalArgumentException("no token: " + text);
        }
        return new AuthservId(canonical(text));
    }

    /**
     * Whether a field with this value bears our name in any spelling: comments, quotes, case, folding, white space
     * around dots, a dot at the end, U-labels. An encoded word is not allowed there (RFC 2047 §5), but some readers decode
     * it to any name, so it counts as ours.
     */
    boolean isIn(String value) {
        StringBuilder id = new StringBuilder();
        int comments = 0;
        boolean apart = false;
        for (int i = 0; i < value.length() && id.length() <= name.length() + 1; i++) {
            char c = value.charAt(i);
            if (value.startsWith("=?", i) && !(apart && isWhole(id, '='))) {
                return true;
            }
            if (c == '(') {
                comments++;
                apart = true;
            } else if (comments > 0) {
                comments -= c == ')' ? 1 : 0;
                i += c == '\\' ? 1 : 0;
            } else if (isBlank(c)) {
                apart = true;
            } else if (c != '"' && c != '\\') {
                if (";=/<>@,:?[])".indexOf(c) >= 0 || (apart && isWhole(id, c))) {
                    break;
                }
                apart = false;
                id.append(c);
            }
        }
        // In Unicode, it is no longer than in ASCII.
        return id.length() <= name.length() + 1 && canonical(id.toString()).equals(name);
    }

    /** Whether what follows white space is not a part of the name: a version, for example. */
    private boolean isWhole(StringBuilder id, char next) {
        if (id.isEmpty()) {
            return false;
        }
        boolean joined = next == '.' || id.charAt(id.length() - 1) == '.';
        return !joined || rooted(id.toString()).equalsIgnoreCase(name);
    }

    /** What readers strip or do not show counts as white space. */
    private static boolean isBlank(char c) {
        return c <= ' ' || (c >= 0x7F && !Character.isLetterOrDigit(c) && !Character.isSurrogate(c));
    }

    private static String canonical(String id) {
        String rooted = rooted(id);
        try {
            return IDN.toASCII(rooted, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException _) {
            // No domain name: compared as it is.
            return rooted.toLowerCase(Locale.ROOT);
        }
    }

    private static String rooted(String id) {
        return id.endsWith(".") ? id.substring(0, id.length() - 1) : id;
    }
}
