package dev.oneshot.ingest.smtp.command;

import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.command.Command.Body;
import dev.oneshot.ingest.smtp.command.Command.MailParameters;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Parses the parameters of MAIL and RCPT (RFC 5321 §4.1.1.11, {@code esmtp-param}). */
final class ParameterParser {

    private static final Pattern KEYWORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*");
    private static final Pattern SIZE = Pattern.compile("[0-9]{1,20}");
    private static final Pattern XTEXT = Pattern.compile("(?:[!-*,-<>-~]|\\+[0-9A-F]{2})+");
    private static final Pattern ADDRESS_TYPE = Pattern.compile("[A-Za-z0-9-]+");
    private static final Set<String> NOTIFY_EVENTS = Set.of("SUCCESS", "FAILURE", "DELAY");
    private static final int SIZE_DIGITS_CERTAIN = 18;
    private static final int ENVID_CHARACTERS_MAX = 100;
    private static final int ORCPT_CHARACTERS_MAX = 500;

    private ParameterParser() {}

    private record Parameter(String keyword, String value) {}

    static MailParameters mail(Grammar grammar) throws CommandSyntaxException {
        long declaredBytes = 0;
        Body body = Body.SEVEN_BIT;
        boolean smtpUtf8 = false;
        Set<String> seen = new HashSet<>();
        while (!grammar.atEnd()) {
            Parameter parameter = next(grammar, seen);
            switch (parameter.keyword()) {
                case "SIZE" -> declaredBytes = size(parameter.value());
                case "BODY" -> body = body(parameter.value());
                case "SMTPUTF8" -> {
                    require(parameter.value().isEmpty());
                    smtpUtf8 = true;
                }
                case "RET" ->
                    require(parameter.value().equalsIgnoreCase("FULL")
                            || parameter.value().equalsIgnoreCase("HDRS"));
                case "ENVID" ->
                    require(parameter.value().length() <= ENVID_CHARACTERS_MAX
                            && XTEXT.matcher(parameter.value()).matches());
                default -> throw new CommandSyntaxException(Replies.unknownParameter("MAIL"));
            }
        }
        return new MailParameters(declaredBytes, body, smtpUtf8);
    }

    static void requireRcpt(Grammar grammar) throws CommandSyntaxException {
        Set<String> seen = new HashSet<>();
        while (!grammar.atEnd()) {
            Parameter parameter = next(grammar, seen);
            switch (parameter.keyword()) {
                case "NOTIFY" -> require(isNotify(parameter.value()));
                case "ORCPT" -> require(isOriginalRecipient(parameter.value()));
                default -> throw new CommandSyntaxException(Replies.unknownParameter("RCPT"));
            }
        }
    }

    private static Parameter next(Grammar grammar, Set<String> seen) throws CommandSyntaxException {
        require(grammar.blanks());
        String word = grammar.word();
        int equals = word.indexOf('=');
        String keyword = (equals < 0 ? word : word.substring(0, equals)).toUpperCase(Locale.ROOT);
        String value = equals < 0 ? "" : word.substring(equals + 1);
        require(KEYWORD.matcher(keyword).matches());
        require(equals < 0 || !value.isEmpty());
        require(seen.add(keyword));
        return new Parameter(keyword, value);
    }

    private static long size(String value) throws CommandSyntaxException {
        require(SIZE.matcher(value).matches());
        return value.length() > SIZE_DIGITS_CERTAIN ? Long.MAX_VALUE : Long.parseLong(value);
    }

    private static Body body(String value) throws CommandSyntaxException {
        return switch (value.toUpperCase(Locale.ROOT)) {
            case "7BIT" -> Body.SEVEN_BIT;
            case "8BITMIME" -> Body.EIGHT_BIT_MIME;
            case "BINARYMIME" -> Body.BINARY_MIME;
            default -> throw new CommandSyntaxException(Replies.PARAMETER_SYNTAX);
        };
    }

    /** RFC 3461 §4.1. */
    private static boolean isNotify(String value) {
        String upper = value.toUpperCase(Locale.ROOT);
        return upper.equals("NEVER") || Arrays.stream(upper.split(",", -1)).allMatch(NOTIFY_EVENTS::contains);
    }

    /** RFC 3461 §4.2, and RFC 6533 §3 for {@code utf-8} addresses. */
    private static boolean isOriginalRecipient(String value) {
        int semicolon = value.indexOf(';');
        if (semicolon < 0 || value.length() > ORCPT_CHARACTERS_MAX) {
            return false;
        }
        String type = value.substring(0, semicolon);
        String address = value.substring(semicolon + 1);
        boolean utf8 = type.equalsIgnoreCase("utf-8") && !address.isEmpty();
        boolean xtext =
                ADDRESS_TYPE.matcher(type).matches() && XTEXT.matcher(address).matches();
        return utf8 || xtext;
    }

    private static void require(boolean wellFormed) throws CommandSyntaxException {
        if (!wellFormed) {
            throw new CommandSyntaxException(Replies.PARAMETER_SYNTAX);
        }
    }
}
