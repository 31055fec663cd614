package dev.oneshot.client;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the visible text and the links of an HTML body. One pass without recovery: an e-mail may be broken, but reading it costs
 * no more than its length.
 */
final class HtmlText {

    private static final Set<String> SKIPPED = Set.of("style", "script", "title", "template");
    private static final Set<String> CELLS = Set.of("td", "th");
    private static final Set<String> INLINE = Set.of(
            "a", "abbr", "b", "code", "em", "font", "i", "img", "kbd", "mark", "s", "small", "span", "strong", "sub",
            "sup", "tt", "u", "wbr");

    private static final Pattern TAG = Pattern.compile("</?([a-zA-Z][a-zA-Z0-9]{0,20})|<[!?]");
    private static final Pattern ATTRIBUTE =
            Pattern.compile("([a-zA-Z-]{1,30})\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)'|([^\\s\"'>]+))");
    private static final Pattern ENTITY =
            Pattern.compile("&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));");
    // As in eacute: a letter and its combining mark.
    private static final Pattern ACCENTED = Pattern.compile("([a-zA-Z])(acute|grave|circ|uml|tilde|cedil|ring)");

    private static final Map<String, String> MARKS = Map.of(
            "acute", "\u0301", "grave", "\u0300", "circ", "\u0302", "uml", "\u0308", "tilde", "\u0303", "cedil",
            "\u0327", "ring", "\u030a");
    private static final Map<String, String> ENTITIES = Map.ofEntries(
            Map.entry("amp", "&"),
            Map.entry("lt", "<"),
            Map.entry("gt", ">"),
            Map.entry("quot", "\""),
            Map.entry("apos", "'"),
            Map.entry("nbsp", " "),
            Map.entry("copy", "©"),
            Map.entry("szlig", "ß"),
            Map.entry("euro", "€"),
            Map.entry("pound", "£"),
            Map.entry("yen", "¥"),
            Map.entry("ndash", "–"),
            Map.entry("mdash", "—"),
            Map.entry("hellip", "…"),
            Map.entry("bull", "•"),
            Map.entry("zwnj", ""),
            Map.entry("shy", ""));

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder textOutsideLinks = new StringBuilder();
    private final List<Link> links = new ArrayList<>();
    private final StringBuilder linkText = new StringBuilder();
    private String href = "";
    private boolean inLink;

    HtmlText(String html) {
        int at = 0;
        while (at < html.length()) {
            int tag = html.indexOf('<', at);
            int end = tag < 0 ? html.length() : tag;
            append(html.substring(at, end));
            at = tag < 0 ? end : afterTag(html, tag);
        }
        endLink();
    }

    /** A line for each block, with white space collapsed. */
    String text() {
        return text.toString();
    }

    /** The same without the text of links. */
    String textOutsideLinks() {
        return textOutsideLinks.toString();
    }

    /** As they stand, of any scheme, with duplicates. */
    List<Link> links() {
        return links;
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
        if (name.equals("a")) {
            endLink();
            inLink = opens;
            href = attribute(html.substring(start, end), "href");
        } else if (name.equals("img") && inLink) {
            append(attribute(html.substring(start, end), "alt"));
        } else if (CELLS.contains(name)) {
            append(" ");
        } else if (!name.isEmpty() && !INLINE.contains(name)) {
            breakLine(text);
            breakLine(textOutsideLinks);
            collapse(linkText, " ");
        }
        return end + 1;
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

    private static String attribute(String tag, String name) {
        Matcher attribute = ATTRIBUTE.matcher(tag);
        while (attribute.find()) {
            if (attribute.group(1).equalsIgnoreCase(name)) {
                for (int group = 2; group <= 4; group++) {
                    if (attribute.group(group) != null) {
                        return attribute.group(group).strip();
                    }
                }
            }
        }
        return "";
    }

    private void endLink() {
        if (inLink) {
            links.add(new Link(linkText.toString().strip(), decode(href)));
        }
        linkText.setLength(0);
        inLink = false;
    }

    private void append(String html) {
        String more = decode(html);
        collapse(text, more);
        collapse(inLink ? linkText : textOutsideLinks, more);
    }

    private static void collapse(StringBuilder text, String more) {
        String collapsed = more.replaceAll("[ \\t\\r\\n\\f\\u00a0]+", " ");
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
            return codePoint > 0 && Character.isValidCodePoint(codePoint) ? Character.toString(codePoint) : "";
        }
        Matcher accented = ACCENTED.matcher(entity.group(3));
        if (accented.matches()) {
            return Normalizer.normalize(accented.group(1) + MARKS.get(accented.group(2)), Normalizer.Form.NFC);
        }
        return ENTITIES.getOrDefault(entity.group(3), entity.group());
    }
}
