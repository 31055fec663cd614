package dev.oneshot.client;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the visible text and the links of an HTML body. One pass without recovery: an e-mail may be broken, but reading it costs
 * no more than its length.
 */
final class HtmlText {

    private static final Set<String> SKIPPED = Set.of("style", "script", "title", "template");
    private static final Set<String> CELLS = Set.of("td", "th");
    private static final Set<String> INLINE = Set.of(
            "a", "abbr", "b", "code", "em", "font", "i", "img", "input", "kbd", "mark", "s", "small", "span", "strong",
            "sub", "sup", "tt", "u", "wbr");

    /** The types of fields that do not show their value. */
    private static final Set<String> VALUELESS =
            Set.of("checkbox", "color", "file", "hidden", "image", "password", "radio", "range");

    private static final Pattern TAG = Pattern.compile("</?([a-zA-Z][a-zA-Z0-9:]{0,20})|<[!?]");
    private static final Pattern ATTRIBUTE = Pattern.compile("([a-zA-Z-]{1,30})(?:[ \\t\\r\\n\\f]*=[ \\t\\r\\n\\f]*"
            + "(?:\"([^\"]*)\"|'([^']*)'|([^ \\t\\r\\n\\f\"'>]+)))?");
    private static final Pattern ENTITY =
            Pattern.compile("&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));");
    // A letter and its combining mark, as in eacute.
    private static final Pattern ACCENTED = Pattern.compile("([a-zA-Z])(acute|grave|circ|uml|tilde|cedil|ring|caron)");
    private static final Pattern SPACES = Pattern.compile("[ \\t\\r\\n\\f\\u00a0]+");
    private static final Pattern SEPARATOR = Pattern.compile(" \\| ");

    private static final Map<String, String> MARKS = Map.of(
            "acute", "\u0301", "grave", "\u0300", "circ", "\u0302", "uml", "\u0308", "tilde", "\u0303", "cedil",
            "\u0327", "ring", "\u030a", "caron", "\u030c");
    private static final Map<String, String> ENTITIES = entities();

    /**
     * A link as it stands in HTML.
     *
     * @param start where it begins in {@link #text}
     * @param end where it ends there
     */
    record Anchor(String text, String href, int start, int end) {}

    /** A link whose end tag has not come yet. */
    private static final class OpenLink {
        private final String href;
        private final int start;
        private final StringBuilder text = new StringBuilder();
        private boolean isSeen;
        private boolean isHidden;

        OpenLink(String href, int start) {
            this.href = href;
            this.start = start;
        }
    }

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder textOutsideLinks = new StringBuilder();
    private final List<Anchor> anchors = new ArrayList<>();
    private final Visibility visibility = new Visibility();
    private @Nullable OpenLink link;

    HtmlText(String html) {
        int at = 0;
        while (at < html.length()) {
            int tag = html.indexOf('<', at);
            int end = tag < 0 ? html.length() : tag;
            append(decode(html.substring(at, end)));
            at = tag < 0 ? end : afterTag(html, tag);
        }
        endLink();
    }

    private static Map<String, String> entities() {
        Map<String, String> entities = new HashMap<>();
        Words.lines("entity").stream().flatMap(SEPARATOR::splitAsStream).forEach(pair -> {
            int blank = pair.indexOf(' ');
            entities.put(pair.substring(0, blank), pair.substring(blank + 1));
        });
        List.of("nbsp", "ensp", "emsp", "thinsp").forEach(name -> entities.put(name, " "));
        List.of("zwnj", "zwj", "shy", "lrm", "rlm").forEach(name -> entities.put(name, ""));
        return Map.copyOf(entities);
    }

    /** A line for each block, with white space collapsed. */
    String text() {
        return text.toString();
    }

    /** The same without the text of links. */
    String textOutsideLinks() {
        return textOutsideLinks.toString();
    }

    /** Links as they stand, of any scheme, with duplicates; without those that no one sees. */
    List<Anchor> anchors() {
        return anchors;
    }

    /** Reads the tag at this index and returns the index after it. */
    private int afterTag(String html, int start) {
        if (html.startsWith("<!--", start)) {
            int end = html.indexOf("-->", start + 4);
            return end < 0 ? html.length() : end + 3;
        }
        Matcher tag = TAG.matcher(html).region(start, html.length());
        if (!tag.lookingAt()) {
            append("<");
            return start + 1;
        }
        int end = endOfTag(html, start);
        if (end < 0) {
            return html.length();
        }
        String name = tag.group(1) == null ? "" : tag.group(1).toLowerCase(Locale.ROOT);
        boolean opens = html.charAt(start + 1) != '/';
        if (opens && SKIPPED.contains(name)) {
            Matcher close =
                    Pattern.compile("</" + name, Pattern.CASE_INSENSITIVE).matcher(html);
            return close.find(end) ? close.start() : html.length();
        }
        if (opens && !name.isEmpty()) {
            open(name, attributes(html.substring(Math.min(tag.end(), end), end)));
        } else if (!name.isEmpty()) {
            close(name);
        }
        return end + 1;
    }

    private void open(String name, Map<String, String> attributes) {
        if (name.equals("a")) {
            endLink();
        }
        separate(name);
        if (name.equals("img")) {
            appendShown(name, attributes, attributes.getOrDefault("alt", ""));
        } else if (name.equals("input")
                && !VALUELESS.contains(
                        Words.trimmed(attributes.getOrDefault("type", "")).toLowerCase(Locale.ROOT))) {
            appendShown(name, attributes, attributes.getOrDefault("value", ""));
        }
        visibility.start(name, attributes);
        if (name.equals("a")) {
            link = new OpenLink(attributes.getOrDefault("href", ""), text.length());
        }
    }

    private void close(String name) {
        if (name.equals("a")) {
            endLink();
        }
        separate(name);
        visibility.end(name);
    }

    /** Ends the line at a block, and the word at a cell. */
    private void separate(String name) {
        if (INLINE.contains(name)) {
            return;
        }
        if (CELLS.contains(name)) {
            collapse(text, " ");
            collapse(textOutsideLinks, " ");
        } else {
            breakLine(text);
            breakLine(textOutsideLinks);
        }
        if (link != null) {
            collapse(link.text, " ");
        }
    }

    private void endLink() {
        if (link != null && (link.isSeen || !link.isHidden)) {
            anchors.add(new Anchor(Words.trimmed(link.text.toString()), link.href, link.start, text.length()));
        }
        link = null;
    }

    /** Replaces an image by its description, and a field by its value, as a separate word unless it is one character. */
    private void appendShown(String name, Map<String, String> attributes, String attribute) {
        boolean isHidden = visibility.isHiddenIn(name, attributes);
        if (link != null) {
            link.isHidden |= isHidden;
            link.isSeen |= !isHidden;
        }
        String shown = Words.trimmed(attribute);
        if (!isHidden && !shown.isEmpty()) {
            appendVisible(shown.length() == 1 ? shown : " " + shown + " ");
        }
    }

    private void append(String more) {
        boolean isHidden = visibility.isHidden();
        if (link != null && !Words.trimmed(more).isEmpty()) {
            link.isHidden |= isHidden;
            link.isSeen |= !isHidden;
        }
        if (!isHidden) {
            appendVisible(more);
        }
    }

    private void appendVisible(String more) {
        collapse(text, more);
        collapse(link == null ? textOutsideLinks : link.text, more);
    }

    /** The index of the {@code >} outside of quotes, or of the first one if the quotes do not match; -1 if there is none. */
    private static int endOfTag(String html, int start) {
        char quote = 0;
        for (int i = start; i < html.length(); i++) {
            char c = html.charAt(i);
            if (quote == 0 && c == '>') {
                return i;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            }
        }
        return html.indexOf('>', start);
    }

    /** The attributes of a tag, the first of each name, decoded. */
    private static Map<String, String> attributes(String tag) {
        Map<String, String> attributes = new HashMap<>();
        Matcher attribute = ATTRIBUTE.matcher(tag);
        while (attribute.find()) {
            String value = "";
            for (int group = 2; group <= 4; group++) {
                value = attribute.group(group) == null ? value : attribute.group(group);
            }
            attributes.putIfAbsent(attribute.group(1).toLowerCase(Locale.ROOT), decode(value));
        }
        return attributes;
    }

    private static void collapse(StringBuilder text, String more) {
        String collapsed = SPACES.matcher(more).replaceAll(" ");
        boolean afterSpace = text.isEmpty() || " \n".indexOf(text.charAt(text.length() - 1)) >= 0;
        text.append(afterSpace && collapsed.startsWith(" ") ? collapsed.substring(1) : collapsed);
    }

    private static void breakLine(StringBuilder text) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
    }

    private static String decode(String html) {
        return ENTITY.matcher(html).replaceAll(entity -> Matcher.quoteReplacement(decoded(entity)));
    }

    private static String decoded(MatchResult entity) {
        if (entity.group(3) == null) {
            int codePoint =
                    entity.group(1) == null ? Integer.parseInt(entity.group(2), 16) : Integer.parseInt(entity.group(1));
            return codePoint > 0 && Character.isValidCodePoint(codePoint) && (codePoint & 0x1ff800) != 0xd800
                    ? Character.toString(codePoint)
                    : "";
        }
        Matcher accented = ACCENTED.matcher(entity.group(3));
        if (accented.matches()) {
            return Normalizer.normalize(accented.group(1) + MARKS.get(accented.group(2)), Normalizer.Form.NFC);
        }
        return ENTITIES.getOrDefault(entity.group(3), entity.group());
    }
}
