package dev.oneshot.ingest.authentication.dns;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A list of tags (RFC 6376 §3.2); DMARC records have its form too. */
public final class TagList {

    private static final Pattern BLANKS = Pattern.compile("[ \t\r\n]+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

    private final Map<String, String> values;

    private TagList(Map<String, String> values) {
        this.values = values;
    }

    /** Parses a list; empty if it is none, or has a tag twice. */
    public static Optional<TagList> parse(String text) {
        return parse(text, false);
    }

    /** Parses what can be parsed of a list; of a tag that is there twice, the first (RFC 9989 §4.7). */
    public static TagList ofValid(String text) {
        return parse(text, true).orElseThrow();
    }

    private static Optional<TagList> parse(String text, boolean lenient) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String tag : text.split(";", -1)) {
            if (tag.isBlank()) {
                continue;
            }
            int equals = tag.indexOf('=');
            String name = equals < 0 ? "" : tag.substring(0, equals).strip();
            boolean valid = NAME.matcher(name).matches()
                    && values.putIfAbsent(name, tag.substring(equals + 1).strip()) == null;
            if (!valid && !lenient) {
                return Optional.empty();
            }
        }
        return Optional.of(new TagList(values));
    }

    /** The value without blanks at its ends; empty text if there is none. */
    public String get(String name) {
        return values.getOrDefault(name, "");
    }

    /** The value without any blanks, as folding may add them. */
    public String compact(String name) {
        return BLANKS.matcher(get(name)).replaceAll("");
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Whether this is the first tag. */
    public boolean beginsWith(String name, String value) {
        return !values.isEmpty()
                && values.keySet().iterator().next().equals(name)
                && get(name).equals(value);
    }
}
