package dev.oneshot.ingest.authentication.dns;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A list of tags (RFC 6376 §3.2); DMARC records have the same form. */
public final class TagList {

    private static final Pattern BLANKS = Pattern.compile("[ \t\r\n]+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

    private final Map<String, String> values = new LinkedHashMap<>();
    private boolean valid = true;

    /** Parses the valid tags of a list. Of a repeated tag, the first counts (RFC 9989 §4.7). */
    public TagList(String text) {
        for (String tag : text.split(";", -1)) {
            int equals = tag.indexOf('=');
            String name = equals < 0 ? "" : tag.substring(0, equals).strip();
            if (NAME.matcher(name).matches()) {
                valid &= values.putIfAbsent(name, tag.substring(equals + 1).strip()) == null;
            } else {
                valid &= tag.isBlank();
            }
        }
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
        return BLANKS.matcher(get(name)).replaceAll("");
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Whether the value, items between colons, has this item; true if the tag is absent. */
    public boolean lists(String name, String item) {
        return !has(name) || List.of(compact(name).split(":", -1)).contains(item);
    }

    /** Whether this is the first tag. */
    public boolean beginsWith(String name, String value) {
        return !values.isEmpty()
                && values.keySet().iterator().next().equals(name)
                && get(name).equals(value);
    }
}
