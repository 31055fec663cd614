package dev.oneshot.authentication.dns;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A list of tags (RFC 6376 §3.2); DMARC records have the same form. */
public final class TagList {

    private final Map<String, String> values = new LinkedHashMap<>();
    private final String first;
    private boolean valid = true;

    /** Parses the valid tags of a list. Of a repeated tag, the first counts (RFC 9989 §4.7). */
    public TagList(String text) {
        int end = end(text, 0);
        this.first = nameOf(text, 0, end);
        for (int start = 0; start < text.length(); start = end + 1) {
            end = end(text, start);
            String name = nameOf(text, start, end);
            if (name.isEmpty()) {
                // A semicolon may follow the last tag.
                valid &= end == text.length() && trimmed(text, start, end).isEmpty();
            } else {
                String value = trimmed(text, text.indexOf('=', start) + 1, end);
                valid &= values.putIfAbsent(name, value) == null && isValue(value);
            }
        }
    }

    private static int end(String text, int start) {
        int semicolon = text.indexOf(';', start);
        return semicolon < 0 ? text.length() : semicolon;
    }

    /** The name of the tag between two semicolons; empty if that is no tag. */
    private static String nameOf(String text, int start, int end) {
        int equals = text.indexOf('=', start);
        String name = equals < 0 || equals > end ? "" : trimmed(text, start, equals);
        return isName(name) ? name : "";
    }

    private static boolean isName(String text) {
        if (text.isEmpty() || !isLetter(text.charAt(0))) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            if (!isInName(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isInName(int c) {
        return isLetter(c) || (c >= '0' && c <= '9') || c == '_';
    }

    /** Without control characters; internationalized fields and notes have others (RFC 8616 §5). */
    private static boolean isValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!((c >= ' ' && c != 0x7F) || isBlank(c))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(int c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static String trimmed(String text, int start, int end) {
        int from = start;
        int to = end;
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    /** Whether the whole text is a list of tags, each tag once. */
    public boolean isValid() {
        return valid;
    }

    /** The value without blanks at its ends; empty if there is none. */
    public String get(String name) {
        return values.getOrDefault(name, "");
    }

    /** The value without any blanks, because folding may add them. */
    public String compact(String name) {
        String value = get(name);
        int end = 0;
        while (end < value.length() && !isBlank(value.charAt(end))) {
            end++;
        }
        if (end == value.length()) {
            return value;
        }
        StringBuilder compact = new StringBuilder(value.length()).append(value, 0, end);
        for (int i = end; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!isBlank(c)) {
                compact.append(c);
            }
        }
        return compact.toString();
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Whether the value, items between colons, has this item; true if the tag is absent. */
    public boolean lists(String name, String item) {
        return !has(name) || List.of(compact(name).split(":", -1)).contains(item);
    }

    /** Whether the text begins with this tag. */
    public boolean beginsWith(String name, String value) {
        return first.equals(name) && get(name).equals(value);
    }
}
