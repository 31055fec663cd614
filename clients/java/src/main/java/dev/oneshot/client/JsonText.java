package dev.oneshot.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON text (RFC 8259) and its values: maps, lists, strings, booleans, null, and numbers, which are a {@link Long} if they are
 * written as integers of at most 18 digits, else a {@link Double}. Needs no JSON library, as an application may bring any version
 * of one.
 */
final class JsonText {

    /** Far deeper than any response, and far from the end of a thread's stack. */
    static final int DEPTH_MAX = 100;

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?");
    private static final int LONG_CHARS_MAX = 18;
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /**
     * Reads a value, and nothing after it.
     *
     * @throws IllegalArgumentException if the text is not JSON, or nested deeper than {@value #DEPTH_MAX}; the message has the
     *     position
     */
    static @Nullable Object read(String text) {
        JsonText reader = new JsonText(text);
        Object value = reader.value(0);
        reader.next();
        if (reader.at < text.length()) {
            throw reader.unexpected();
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException("nested deeper than " + DEPTH_MAX);
        }
        return switch (next()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object(int depth) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        at++;
        if (skip('}')) {
            return object;
        }
        do {
            if (next() != '"') {
                throw unexpected();
            }
            String name = string();
            require(':');
            object.put(name, value(depth + 1));
        } while (skip(','));
        require('}');
        return object;
    }

    private List<@Nullable Object> array(int depth) {
        List<@Nullable Object> array = new ArrayList<>();
        at++;
        if (skip(']')) {
            return array;
        }
        do {
            array.add(value(depth + 1));
        } while (skip(','));
        require(']');
        return array;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        int from = ++at;
        while (peek() >= ' ' && peek() != '"') {
            if (peek() == '\\') {
                string.append(text, from, at);
                at++;
                string.append(escaped());
                from = at;
            } else {
                at++;
            }
        }
        if (peek() != '"') {
            throw unexpected();
        }
        return string.append(text, from, at++).toString();
    }

    private char escaped() {
        int escape = ESCAPES.indexOf(peek());
        if (escape >= 0) {
            at++;
            return ESCAPED.charAt(escape);
        }
        if (peek() != 'u' || at + 5 > text.length()) {
            throw unexpected();
        }
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            at++;
            int digit = peek() < 0x80 ? Character.digit(peek(), 16) : -1;
            if (digit < 0) {
                throw unexpected();
            }
            unit = unit * 16 + digit;
        }
        at++;
        return (char) unit;
    }

    private Object number() {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) {
            throw unexpected();
        }
        at = number.end();
        boolean isLong = number.group(1) == null
                && number.group(2) == null
                && number.group().length() <= LONG_CHARS_MAX;
        return isLong ? (Object) Long.valueOf(number.group()) : Double.valueOf(number.group());
    }

    private @Nullable Object literal(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw unexpected();
        }
        at += word.length();
        return value;
    }

    /** The next character that is no white space, as {@link #peek()}. */
    private char next() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return peek();
    }

    /** The character here; 0, which no rule of the grammar accepts, at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean skip(char expected) {
        if (next() != expected) {
            return false;
        }
        at++;
        return true;
    }

    private void require(char expected) {
        if (!skip(expected)) {
            throw unexpected();
        }
    }

    private IllegalArgumentException unexpected() {
        String what = at < text.length() ? "unexpected character" : "unexpected end";
        return new IllegalArgumentException(what + " at position " + at);
    }

    /** Writes a value. Members that are null are left out. */
    static String write(Object value) {
        StringBuilder json = new StringBuilder();
        write(value, json);
        return json.toString();
    }

    private static void write(Object value, StringBuilder json) {
        if (value instanceof Map<?, ?> object) {
            String separator = "{";
            for (Map.Entry<?, ?> member : object.entrySet()) {
                if (member.getValue() != null) {
                    write(String.valueOf(member.getKey()), json.append(separator));
                    write(member.getValue(), json.append(':'));
                    separator = ",";
                }
            }
            json.append(separator.equals("{") ? "{}" : "}");
        } else if (value instanceof List<?> array) {
            String separator = "[";
            for (Object item : array) {
                write(item, json.append(separator));
                separator = ",";
            }
            json.append(separator.equals("[") ? "[]" : "]");
        } else if (value instanceof String string) {
            write(string, json);
        } else {
            json.append(value);
        }
    }

    private static void write(String string, StringBuilder json) {
        json.append('"');
        for (int i = 0; i < string.length(); i++) {
            char unit = string.charAt(i);
            if (unit < ' ' || Character.isSurrogate(unit)) {
                // A surrogate without its pair has no UTF-8: escaped, it reaches the service, which rejects it.
                json.append("\\u%04x".formatted((int) unit));
            } else {
                json.append(unit == '"' || unit == '\\' ? "\\" : "").append(unit);
            }
        }
        json.append('"');
    }
}
