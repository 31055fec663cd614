package dev.oneshot.ingest.smtp.command;

import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.ReversePath;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.regex.Pattern;

/** Parses the parameters of MAIL and RCPT (RFC 5321 §4.1.1.11, {@code esmtp-param}). */
final class ParameterParser {

    private static final Pattern KEYWORD = Pattern.compile("[A-Z0-9][A-Z0-9-]*");
    // Parameters of DSN (RFC 3461 §4) have no effect.
    private static final Pattern IGNORED = Pattern.compile(".+");
    private static final int SIZE_DIGITS_CERTAIN = 18;

    private static final Map<String, Pattern> MAIL = Map.of(
            "SIZE", Pattern.compile("[0-9]{1,20}"),
            "BODY", Pattern.compile("(?i)7BIT|8BITMIME|BINARYMIME"),
            "SMTPUTF8", Pattern.compile(""),
            "RET", IGNORED,
            "ENVID", IGNORED);
    private static final Map<String, Pattern> RCPT = Map.of("NOTIFY", IGNORED, "ORCPT", IGNORED);

    private ParameterParser() {}

    static Command.Mail mail(ReversePath reversePath, String text) throws CommandSyntaxException {
        Map<String, String> values = parse("MAIL", text, MAIL);
        String size = values.getOrDefault("SIZE", "0");
        return new Command.Mail(
                reversePath,
                size.length() > SIZE_DIGITS_CERTAIN ? Long.MAX_VALUE : Long.parseLong(size),
                values.getOrDefault("BODY", "").equalsIgnoreCase("BINARYMIME"),
                values.containsKey("SMTPUTF8"));
    }

    static void requireRcpt(String text) throws CommandSyntaxException {
        parse("RCPT", text, RCPT);
    }

    private static Map<String, String> parse(String verb, String text, Map<String, Pattern> known)
            throws CommandSyntaxException {
        Map<String, String> values = new HashMap<>();
        // A blank or a tab: lines with other control characters are rejected before.
        require(text.isEmpty() || text.charAt(0) <= ' ');
        StringTokenizer words = new StringTokenizer(text, " \t");
        while (words.hasMoreTokens()) {
            String word = words.nextToken();
            int equals = word.indexOf('=');
            String keyword = (equals < 0 ? word : word.substring(0, equals)).toUpperCase(Locale.ROOT);
            String value = equals < 0 ? "" : word.substring(equals + 1);
            require(KEYWORD.matcher(keyword).matches() && (equals < 0 || !value.isEmpty()));
            require(values.put(keyword, value) == null);
            Pattern syntax = known.get(keyword);
            if (syntax == null) {
                throw new CommandSyntaxException(Replies.unknownParameter(verb));
            }
            require(syntax.matcher(value).matches());
        }
        return values;
    }

    private static void require(boolean wellFormed) throws CommandSyntaxException {
        if (!wellFormed) {
            throw new CommandSyntaxException(Replies.PARAMETER_SYNTAX);
        }
    }
}
