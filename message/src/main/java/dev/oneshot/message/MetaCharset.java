package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the charset that HTML names (WHATWG HTML, "prescan a byte stream to determine its encoding"): by a byte order mark, a
 * {@code meta} element or an XML declaration.
 */
final class MetaCharset {

    /** The bound of the algorithm: an element that does not end within these octets does not count. */
    static final int OCTETS_MAX = 1024;

    private static final String SPACE = "\\t\\n\\f\\r ";
    private static final String QUOTED = "\"([^\"]*+)\"|'([^']*+)'";
    private static final String EQUALS = "[" + SPACE + "]*+=[" + SPACE + "]*+";

    private static final Pattern META = Pattern.compile("<meta(?=[/" + SPACE + "])", Pattern.CASE_INSENSITIVE);
    private static final Pattern TAG = Pattern.compile("</?[A-Za-z][^>" + SPACE + "]*+");
    private static final Pattern TAG_END = Pattern.compile("[/" + SPACE + "]*+>");
    private static final Pattern DECLARATION = Pattern.compile("<[!/?][^>]*+>?+");
    private static final Pattern ATTRIBUTE = Pattern.compile("[/" + SPACE + "]*+([^/>" + SPACE + "][^=/>" + SPACE
            + "]*+)(?:" + EQUALS + "(?:" + QUOTED + "|([^\"'>" + SPACE + "][^>" + SPACE + "]*+)(?=[>" + SPACE
            + "])|(?=>))|(?="
            + "[/>" + SPACE + "])(?![" + SPACE + "]*+=))");
    private static final Pattern CHARSET_OF_CONTENT = Pattern.compile(
            "charset" + EQUALS + "(?:" + QUOTED + "|([^\"';" + SPACE + "][^;" + SPACE + "]*+))",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern XML =
            Pattern.compile("<\\?xml[" + SPACE + "][^>]*?[" + SPACE + "]encoding" + EQUALS + "(?:" + QUOTED + ")");

    private final String text;
    private int at;

    private MetaCharset(String text) {
        this.text = text;
    }

    /** The label; empty if the HTML names no charset that is known. */
    static String of(byte[] html) {
        if (Lines.startsWithByteOrderMark(html, 0, html.length)) {
            return "utf-8";
        }
        String text = new String(html, 0, Math.min(html.length, OCTETS_MAX), StandardCharsets.ISO_8859_1);
        return text.startsWith("\u00FF\u00FE") || text.startsWith("\u00FE\u00FF")
                ? "utf-16"
                : new MetaCharset(text).label();
    }

    private String label() {
        while (at < text.length()) {
            if (text.startsWith("<!--", at)) {
                int end = text.indexOf("-->", at + 2);
                at = end < 0 ? text.length() : end + 3;
            } else if (skip(META)) {
                String label = attributes();
                if (!label.isEmpty()) {
                    return label;
                }
            } else if (skip(TAG)) {
                // Its attributes may have what looks like another element.
                var _ = attributes();
            } else if (!skip(DECLARATION)) {
                at++;
            }
        }
        Matcher xml = XML.matcher(text);
        return xml.lookingAt() ? Charsets.namedInText(value(xml, 1)) : "";
    }

    private boolean skip(Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        boolean found = matcher.lookingAt();
        at = found ? matcher.end() : at;
        return found;
    }

    /** Reads the attributes of an element, and returns the charset that they name if it is a {@code meta}. */
    private String attributes() {
        Set<String> names = new HashSet<>();
        boolean isContentType = false;
        String ofContent = "";
        String ofCharset = "";
        Matcher attribute = ATTRIBUTE.matcher(text).region(at, text.length());
        while (attribute.lookingAt()) {
            at = attribute.end();
            String name = attribute.group(1).toLowerCase(Locale.ROOT);
            String value = value(attribute, 2);
            if (names.add(name)) {
                switch (name) {
                    case "http-equiv" -> isContentType = value.equalsIgnoreCase("content-type");
                    case "content" -> ofContent = charsetOf(value);
                    case "charset" -> ofCharset = value;
                    default -> {}
                }
            }
            attribute.region(at, text.length());
        }
        if (!skip(TAG_END)) {
            at = text.length();
            return "";
        }
        if (names.contains("charset")) {
            return Charsets.namedInText(ofCharset);
        }
        return isContentType ? Charsets.namedInText(ofContent) : "";
    }

    private static String charsetOf(String content) {
        Matcher charset = CHARSET_OF_CONTENT.matcher(content);
        return charset.find() ? value(charset, 1) : "";
    }

    /** The first group that matched, from this one on: a value has a group for each form of quotes. */
    private static String value(Matcher matcher, int first) {
        for (int group = first; group <= matcher.groupCount(); group++) {
            if (matcher.group(group) != null) {
                return matcher.group(group);
            }
        }
        return "";
    }
}
