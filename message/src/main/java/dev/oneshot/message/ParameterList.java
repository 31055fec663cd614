package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A structured field with parameters (RFC 2045 §5.1, RFC 2183 §2), read leniently: unquoted values with blanks, a
 * comma or nothing for a semicolon, an unclosed quote, comments, backslashes that quote nothing, parameters alone.
 *
 * <p>Strings here hold octets as ISO 8859-1 characters until {@link #text} decodes them.
 */
final class ParameterList {

    /** Far more than any program writes. Bounds memory, as a parameter costs many times its three octets. */
    static final int PARAMETERS_MAX = 1_000;

    /** A comment without others in it. */
    private static final Pattern COMMENT = Pattern.compile("\\([^()]*+\\)");

    /** What may be before a quoted value. Before others a parenthesis is more often the first character of a file name. */
    private static final Pattern BEFORE_QUOTE =
            Pattern.compile("[\\x00-\\x20]*+(?:" + COMMENT + "[\\x00-\\x20]*+)*+(?=\")");

    private record Parameter(String name, String value) {

        /** Whether it has octets of RFC 2231 without a charset: {@code name*=''%E4} or {@code name*0*=%E4}. */
        boolean isExtendedWithoutCharset() {
            int star = name.indexOf('*');
            boolean isFirst = star >= 0 && (star == name.length() - 1 || name.endsWith("*0*"));
            return isFirst && value.indexOf('%') >= 0 && value.indexOf('\'') <= 0;
        }
    }

    private final String field;
    private final List<Parameter> parameters = new ArrayList<>();
    private String value = "";
    private int at;

    private ParameterList(byte[] octets) {
        this.field = new String(octets, StandardCharsets.ISO_8859_1);
    }

    static ParameterList parse(byte[] field) {
        ParameterList list = new ParameterList(field);
        list.value = list.token().toLowerCase(Locale.ROOT);
        if (list.value.indexOf('=') >= 0) {
            // The text before the parameters is missing.
            list.at = 0;
        }
        while (list.at < list.field.length() && list.parameters.size() < PARAMETERS_MAX) {
            list.parameter();
        }
        return list;
    }

    /** False if parameters beyond {@value #PARAMETERS_MAX} were left out. */
    boolean isComplete() {
        return at >= field.length() || parameters.size() < PARAMETERS_MAX;
    }

    /** Whether a parameter may have octets that are not ASCII and whose charset is not named, raw or in the form of RFC 2231. */
    boolean hasUnlabelledOctets() {
        return field.chars().anyMatch(c -> c >= 0x80)
                || parameters.stream().anyMatch(Parameter::isExtendedWithoutCharset);
    }

    /** The text before the parameters, lower case, without comments. */
    String value() {
        return value;
    }

    /** The first parameter of that name as written, octets as ISO 8859-1; empty if there is none. */
    private String octets(String name) {
        for (Parameter parameter : parameters) {
            if (parameter.name.equals(name)) {
                return parameter.value;
            }
        }
        return "";
    }

    /** A parameter for comparison with octets: as written, or decoded if it is only there in a form of RFC 2231. */
    byte[] rawOrDecoded(String name) {
        String raw = octets(name);
        return raw.isEmpty()
                ? text(name, "").getBytes(StandardCharsets.UTF_8)
                : raw.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The first word of a parameter, without comments, up to a comma. */
    String word(String name) {
        String text = COMMENT.matcher(text(name, "")).replaceAll("").strip();
        int end = 0;
        while (end < text.length() && text.charAt(end) > ' ' && "(,".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(0, end);
    }

    /**
     * The parameter decoded: forms of RFC 2231 first, then encoded words and raw 8-bit text.
     *
     * @param hint the charset label of raw 8-bit text that is not UTF-8; empty if it is not known
     */
    String text(String name, String hint) {
        ExtendedParameter extended = new ExtendedParameter();
        for (Parameter parameter : parameters) {
            if (parameter.name.length() > name.length()
                    && parameter.name.startsWith(name)
                    && parameter.name.charAt(name.length()) == '*') {
                extended.add(parameter.name.substring(name.length()), parameter.value);
            }
        }
        String decoded = extended.decode(hint);
        return decoded.isBlank()
                ? HeaderText.decode(octets(name).getBytes(StandardCharsets.ISO_8859_1), hint)
                : decoded;
    }

    /**
     * The first word. Some mail has {@code text/html charset=utf-8}. Blanks and comments around the slash of a type are not part of it
     * (RFC 2045 §5.1).
     */
    private String token() {
        skip("");
        StringBuilder token = new StringBuilder(word());
        int end = at;
        skip("");
        while (isAt('/') || (!token.isEmpty() && token.charAt(token.length() - 1) == '/')) {
            String word = word();
            if (word.isEmpty() || word.indexOf('=') >= 0) {
                break;
            }
            token.append(word);
            end = at;
            skip("");
        }
        at = end;
        return unquoted(token.toString());
    }

    private boolean isAt(char c) {
        return at < field.length() && field.charAt(at) == c;
    }

    /** The characters up to a separator, a blank or a comment. */
    private String word() {
        int start = at;
        while (at < field.length() && field.charAt(at) > ' ' && ";,(".indexOf(field.charAt(at)) < 0) {
            at++;
        }
        return field.substring(start, at);
    }

    private static String unquoted(String text) {
        return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1).strip()
                : text;
    }

    private void parameter() {
        skip(";,");
        int start = at;
        while (at < field.length() && field.charAt(at) != '=' && field.charAt(at) != ';') {
            at++;
        }
        if (at == field.length() || field.charAt(at) == ';') {
            return;
        }
        String name =
                COMMENT.matcher(field.substring(start, at++)).replaceAll("").strip();
        Matcher beforeQuote = BEFORE_QUOTE.matcher(field).region(at, field.length());
        boolean isQuoted = beforeQuote.lookingAt();
        if (isQuoted) {
            at = beforeQuote.end();
        }
        parameters.add(new Parameter(name.toLowerCase(Locale.ROOT), isQuoted ? quoted() : unquoted()));
    }

    /** Skips blanks, comments and these separators. */
    private void skip(String separators) {
        while (at < field.length()) {
            char c = field.charAt(at);
            if (c == '(') {
                skipComment();
            } else if (c <= ' ' || separators.indexOf(c) >= 0) {
                at++;
            } else {
                return;
            }
        }
    }

    /** A closing quote without an opening one is not part of the value. */
    private String unquoted() {
        int start = at;
        while (at < field.length() && field.charAt(at) != ';') {
            at++;
        }
        String text = field.substring(start, at).strip();
        boolean closed = text.endsWith("\"") && text.indexOf('"') == text.length() - 1;
        return closed ? text.substring(0, text.length() - 1) : text;
    }

    /** A backslash quotes only a quote or a backslash, as Windows paths are sent with single backslashes. */
    private String quoted() {
        StringBuilder text = new StringBuilder();
        at++;
        while (at < field.length() && field.charAt(at) != '"') {
            char c = field.charAt(at);
            boolean quoting = c == '\\'
                    && at + 1 < field.length()
                    && (field.charAt(at + 1) == '"' || field.charAt(at + 1) == '\\');
            if (quoting) {
                at++;
            }
            text.append(field.charAt(at++));
        }
        at++;
        return text.toString();
    }

    private void skipComment() {
        int depth = 0;
        while (at < field.length()) {
            char c = field.charAt(at++);
            if (c == '\\') {
                at++;
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && --depth == 0) {
                return;
            }
        }
        at = field.length();
    }
}
