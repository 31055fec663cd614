package dev.oneshot.ingest.smtp.data;

import dev.oneshot.ingest.smtp.AuthservId;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes Authentication-Results fields with the server's authserv-id from a received header section, as they are
 * forged (RFC 8601 §5). Readers treat a bare CR differently. Some drop it, even inside the field name. Others end the
 * line at it, so a field may begin after it.
 *
 * <p>The patterns are of bytes, as text in ISO 8859-1. Their repetitions are possessive, so that time is linear.
 */
final class OwnResults {

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

    private OwnResults() {}

    /**
     * Removes fields, and moves the bytes behind them up to {@code end}.
     *
     * @param from where the header section begins
     * @param to where it ends at the latest; it also ends at an empty line
     * @return the new end of the bytes
     */
    static int remove(byte[] octets, int from, int to, int end, AuthservId ours) {
        String header = new String(octets, from, to - from, StandardCharsets.ISO_8859_1);
        if (!header.replace("\r", "").toLowerCase(Locale.ROOT).contains(NAME)) {
            return end;
        }
        byte[] kept = FIELD.matcher(header)
                .replaceAll(field -> Matcher.quoteReplacement(withoutOurs(field.group(), ours)))
                .getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(kept, 0, octets, from, kept.length);
        System.arraycopy(octets, to, octets, from + kept.length, end - to);
        return from + kept.length + end - to;
    }

    /** Removes fields after bare CRs first, because the text around a removed field may join to the field's name. */
    private static String withoutOurs(String field, AuthservId ours) {
        String rest = FIELD_AFTER_BARE_CR
                .matcher(field)
                .replaceAll(found -> isOurs(found.group(1), ours) ? "" : Matcher.quoteReplacement(found.group()));
        Matcher begin = FIELD_NAME.matcher(rest);
        return begin.lookingAt() && isOurs(rest.substring(begin.end()), ours) ? "" : rest;
    }

    private static boolean isOurs(String value, AuthservId ours) {
        return ours.isIn(new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }
}
