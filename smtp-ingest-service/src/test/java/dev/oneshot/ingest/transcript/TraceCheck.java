package dev.oneshot.ingest.transcript;

import dev.oneshot.testing.Law;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The trace fields in front of a message (RFC 5321 §4.4). They contain client input and must not be forged. */
final class TraceCheck {

    private static final int LINE_OCTETS_MAX = 998;

    private static final String BEFORE_DATE = ";\r\n\t";

    // One of each, folded, without control characters in a line: client input cannot start a field.
    private static final Pattern TRACE = Pattern.compile(
            "Return-Path: <[^\\x00-\\x1f\\x7f]*>\r\nReceived: [^\\x00-\\x1f\\x7f]*\r\n(?:\t[^\\x00-\\x08\\x0a-\\x1f\\x7f]*\r\n)*");

    private static final String BYTE_ORDER_MARK = "(?:\u00ef\u00bb\u00bf)?";
    private static final String RESULTS_NAME = "authentication-results";
    /**
     * A field that starts a line ends at a line feed, and its name may have bare CRs in it. A field after a bare CR has none, and
     * also ends at the next CR.
     */
    private static final Pattern RESULTS = Pattern.compile(
            "(?<![^\n])\r*" + BYTE_ORDER_MARK + "[ \t\r]*" + String.join("\r*", RESULTS_NAME.split(""))
                    + "[\\x00-\\x20]*:[^\n]*(?:\n|$)(?:[ \t][^\n]*(?:\n|$))*"
                    + "|(?<=\r)[ \t]*" + BYTE_ORDER_MARK + RESULTS_NAME
                    + "[\\x00-\\x20]*:[^\r\n]*(?:\r?\n|\r|$)(?:[ \t][^\r\n]*(?:\r?\n|\r|$))*",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern BEGINS_WITH_BLANK = Pattern.compile("[ \t]");

    private TraceCheck() {}

    /**
     * The content after our own trace fields. Content that would continue them (RFC 5322 §2.2.3) has an empty line in front
     * of it.
     */
    static String contentOf(String message) {
        int date = message.indexOf(BEFORE_DATE) + BEFORE_DATE.length();
        int end = message.indexOf("\r\n", date) + 2;
        Matcher trace = TRACE.matcher(message.substring(0, end));
        Law.requires(trace.matches(), () -> "not trace fields:\n" + message.substring(0, end));
        Law.requires(
                trace.group().lines().allMatch(line -> line.length() <= LINE_OCTETS_MAX),
                () -> "a line too long in:\n" + trace.group());
        String content = message.substring(end);
        Law.requires(content.equals(apart(content)), () -> "continues our trace fields:\n" + message);
        return content;
    }

    /** Content without fields of results, as those that bear our name are removed (RFC 8601 §5), and without the blanks around them. */
    static String withoutResults(String content) {
        return RESULTS.matcher(content).replaceAll("").replaceAll("\\s", "");
    }

    /** Content as it must follow our trace fields: an empty line comes before a leading blank. */
    static String apart(String sent) {
        return BEGINS_WITH_BLANK.matcher(sent).lookingAt() ? "\r\n" + sent : sent;
    }
}
