package dev.oneshot.authentication.results;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes Authentication-Results fields with the server's authserv-id from a received header section, as they are forged (RFC 8601
 * §5). Some readers drop a bare CR, even in the field name. Others end the line at it, so a field may begin after it.
 *
 * <p>The patterns are of bytes, as text in ISO 8859-1. Their repetitions are possessive, so that time is linear.
 */
public final class OwnResults {

    private static final String NAME = "authentication-results";
    /** A byte order mark, which readers skip at the beginning of a line. */
    private static final String BYTE_ORDER_MARK = "(?:\u00EF\u00BB\u00BF)?+";

    private static final String BLANK_LINE = BYTE_ORDER_MARK + "[ \t][ \t\r]*+\n";
    private static final String FOLDED_LINE = BYTE_ORDER_MARK + "[ \t][ \t\r]*+[^\n]++";
    /** A field up to its last line that is not blank. Blank lines after it may end the header section for some readers. */
    private static final Pattern FIELD = Pattern.compile(
            "\\G(?:(?:" + BLANK_LINE + ")++|(?!\r*+\n)[^\n]++(?:\n(?:" + BLANK_LINE + ")*+" + FOLDED_LINE + ")*+\n?+)");

    private static final Pattern FIELD_NAME = Pattern.compile(
            "\r*+" + BYTE_ORDER_MARK + "[ \t\r]*+" + String.join("\r*+", NAME.split("")) + "[ \t\r]*+:",
            Pattern.CASE_INSENSITIVE);
    /**
     * A field after a bare CR. It does not match after two CRs, because readers that end lines at a CR end the header
     * section there.
     */
    private static final Pattern FIELD_AFTER_BARE_CR = Pattern.compile(
            "\r(?<=[^\r\n]\r)" + BYTE_ORDER_MARK + NAME + "[ \t]*+:([^\r\n]*+(?:(?:\r\n?+|\n)[ \t][^\r\n]*+)*+)",
            Pattern.CASE_INSENSITIVE);

    private final AuthservId ours;
    private int fields;

    /** @param ours whose fields are removed */
    public OwnResults(AuthservId ours) {
        this.ours = ours;
    }

    /** How many fields were removed. */
    public int fields() {
        return fields;
    }

    /**
     * Removes fields, and moves the bytes behind them up to {@code end}.
     *
     * @param from where the header section begins
     * @param to where it ends at the latest; it also ends at an empty line
     * @return the new end of the bytes
     */
    public int remove(byte[] octets, int from, int to, int end) {
        if (!hasName(octets, from, to)) {
            return end;
        }
        String section = new String(octets, from, to - from, StandardCharsets.ISO_8859_1);
        StringBuilder kept = new StringBuilder();
        int copied = 0;
        for (Matcher field = FIELD.matcher(section); field.find(); ) {
            if (hasName(octets, from + field.start(), from + field.end())) {
                String rest = withoutOurs(field.group());
                if (rest.length() < field.end() - field.start()) {
                    kept.append(section, copied, field.start()).append(rest);
                    copied = field.end();
                }
            }
        }
        if (copied == 0) {
            return end;
        }
        byte[] left = kept.append(section, copied, section.length()).toString().getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(left, 0, octets, from, left.length);
        System.arraycopy(octets, to, octets, from + left.length, end - to);
        return from + left.length + end - to;
    }

    /** Whether the name occurs. Copies nothing, as few messages have it, and a header section may have a mebibyte. */
    private static boolean hasName(byte[] octets, int from, int to) {
        for (int i = from; i < to; i++) {
            if (lowerCase(octets[i]) == NAME.charAt(0) && isNameAt(octets, i, to)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the name begins here, with any CRs in it. */
    private static boolean isNameAt(byte[] octets, int from, int to) {
        int matched = 0;
        for (int i = from; i < to && matched < NAME.length(); i++) {
            if (lowerCase(octets[i]) == NAME.charAt(matched)) {
                matched++;
            } else if (octets[i] != '\r') {
                return false;
            }
        }
        return matched == NAME.length();
    }

    private static int lowerCase(byte octet) {
        return octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet;
    }

    /** Removes fields after bare CRs first, because the text around a removed field may join to the field's name. */
    private String withoutOurs(String field) {
        String rest = hasBareCarriageReturn(field)
                ? FIELD_AFTER_BARE_CR
                        .matcher(field)
                        .replaceAll(found -> isOurs(found.group(1)) ? "" : Matcher.quoteReplacement(found.group()))
                : field;
        Matcher begin = FIELD_NAME.matcher(rest);
        return begin.lookingAt() && isOurs(rest.substring(begin.end())) ? "" : rest;
    }

    private static boolean hasBareCarriageReturn(String field) {
        int at = field.indexOf('\r');
        while (at >= 0 && field.startsWith("\n", at + 1)) {
            at = field.indexOf('\r', at + 1);
        }
        return at >= 0;
    }

    private boolean isOurs(String value) {
        boolean isOurs = ours.isIn(new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
        if (isOurs) {
            fields++;
        }
        return isOurs;
    }
}
