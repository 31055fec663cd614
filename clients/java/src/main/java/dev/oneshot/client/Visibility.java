package dev.oneshot.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Follows the open elements of an HTML body, and says whether a person sees the text in them. */
final class Visibility {

    /** Elements without an end tag. */
    private static final Set<String> VOID = Set.of(
            "area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source",
            "track", "wbr");

    private static final Set<String> ROWS = Set.of("td", "th", "tr", "tbody", "thead", "tfoot");
    /** Elements that end where one of these begins. */
    private static final Map<String, Set<String>> ENDED_BY = Map.of(
            "li",
            Set.of("li"),
            "dt",
            Set.of("dt", "dd"),
            "dd",
            Set.of("dt", "dd"),
            "td",
            ROWS,
            "th",
            ROWS,
            "tr",
            Set.of("tr", "tbody", "thead", "tfoot"),
            "p",
            Set.of(
                    "address",
                    "article",
                    "blockquote",
                    "center",
                    "div",
                    "dl",
                    "fieldset",
                    "form",
                    "h1",
                    "h2",
                    "h3",
                    "h4",
                    "h5",
                    "h6",
                    "hr",
                    "main",
                    "nav",
                    "ol",
                    "p",
                    "pre",
                    "section",
                    "table",
                    "ul"));
    /** Such elements do not end outside of these. */
    private static final Set<String> SCOPES = Set.of("table", "ul", "ol", "dl", "td", "th");
    /** The elements that a start tag ends, by its name. */
    private static final Map<String, Ends> ENDS = ENDED_BY.values().stream()
            .flatMap(Set::stream)
            .distinct()
            .collect(Collectors.toUnmodifiableMap(name -> name, Ends::of));
    /** E-mails nest less deeply. Deeper elements are read as if they were not there. */
    private static final int DEPTH_MAX = 500;

    private static final Pattern NO_DECLARATION = Pattern.compile("/\\*[^*]*\\*+/|! ?important");
    private static final Pattern SPACES = Pattern.compile("[ \\t\\r\\n\\f]+");
    private static final Pattern DECLARATION = Pattern.compile("([a-z-]{1,30}) ?: ?([^;]*)");
    /** Sizes that no one reads. */
    private static final Pattern TINY =
            Pattern.compile("0*\\.?0+(?:px|pt|em|rem|ex|%)?|0*\\.[0-9]+(?:px|pt)?|0*1(?:\\.[0-9]+)?(?:px|pt)?");

    private static final Pattern ZERO = Pattern.compile("-?0*\\.?0+(?:px|pt|em|rem|ex|%|vh|vw)?");
    private static final Pattern RELATIVE = Pattern.compile("[0-9.]+(?:em|%|ex)|smaller|larger|inherit");
    private static final Pattern SIZE_OF_FONT = Pattern.compile("(?:^| )([0-9.]+(?:px|pt|em|rem|%)?)(?: |/|$)");
    private static final Pattern FAR_LEFT = Pattern.compile("-[0-9]{4,}(?:\\.[0-9]+)?(?:px|pt|em)");
    private static final Pattern COLOR =
            Pattern.compile("#[0-9a-f]{3,8}|rgba?\\([^)]*\\)|white|black|transparent|inherit");
    private static final Pattern HEX =
            Pattern.compile("#(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))");
    private static final Pattern RGB =
            Pattern.compile("rgba?\\( ?([0-9]{1,3})[, ]+([0-9]{1,3})[, ]+([0-9]{1,3})(?:[,/ ]+([0-9.]+)%?)? ?\\)");
    private static final Map<String, String> NAMES =
            Map.of("white", "255,255,255", "black", "0,0,0", "transparent", "transparent");

    /**
     * How an element shows its text, if its own style says so. Children inherit it.
     *
     * @param removed with everything in it
     * @param invisible unless an element in it says otherwise
     */
    private record Element(
            String name, boolean removed, boolean invisible, boolean tiny, String color, String background) {

        boolean hides() {
            return removed
                    || invisible
                    || tiny
                    || color.equals("transparent")
                    || (!color.isEmpty() && color.equals(background));
        }
    }

    /**
     * What a start tag ends.
     *
     * @param ended the elements that it ends
     * @param scopes those that it does not end, and outside of which it ends nothing
     */
    private record Ends(Set<String> ended, Set<String> scopes) {

        static Ends of(String name) {
            Set<String> ended = ENDED_BY.entrySet().stream()
                    .filter(outer -> outer.getValue().contains(name))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toUnmodifiableSet());
            return new Ends(
                    ended,
                    SCOPES.stream().filter(outer -> !ended.contains(outer)).collect(Collectors.toUnmodifiableSet()));
        }
    }

    private final List<Element> open = new ArrayList<>(List.of(new Element("", false, false, false, "", "")));
    /** The indexes of open elements, by name, so that a tag takes the same time at any depth. */
    private final Map<String, Deque<Integer>> places = new HashMap<>();

    /** Whether text is hidden here. */
    boolean isHidden() {
        return innermost().hides();
    }

    /** Whether an element without children would be hidden here. */
    boolean isHiddenIn(String name, Map<String, String> attributes) {
        return element(name, attributes, innermost()).hides();
    }

    private Element innermost() {
        return open.get(open.size() - 1);
    }

    /** The start tag of an element. */
    void start(String name, Map<String, String> attributes) {
        endBefore(name);
        if (!VOID.contains(name) && open.size() <= DEPTH_MAX) {
            places.computeIfAbsent(name, key -> new ArrayDeque<>()).push(open.size());
            open.add(element(name, attributes, innermost()));
        }
    }

    /** The end tag of an element, and of those in it that have none. */
    void end(String name) {
        int last = last(Set.of(name));
        if (last > 0) {
            endFrom(last);
        }
    }

    /** Ends the elements that this start tag ends. */
    private void endBefore(String name) {
        Ends ends = ENDS.get(name);
        if (ends == null) {
            return;
        }
        int scope = last(ends.scopes());
        for (int last = last(ends.ended()); last > scope; last = last(ends.ended())) {
            endFrom(last);
        }
    }

    /** The index of the innermost open element with one of these names; 0 if there is none. */
    private int last(Set<String> names) {
        int last = 0;
        for (String name : names) {
            Deque<Integer> known = places.get(name);
            if (known != null && !known.isEmpty()) {
                last = Math.max(last, known.getFirst());
            }
        }
        return last;
    }

    /** Ends the open element at this index and all in it. */
    private void endFrom(int index) {
        while (open.size() > index) {
            Element ended = open.remove(open.size() - 1);
            Objects.requireNonNull(places.get(ended.name())).pop();
        }
    }

    private static Element element(String name, Map<String, String> attributes, Element parent) {
        Map<String, String> style = declarations(attributes.getOrDefault("style", ""));
        String visibility = style.get("visibility");
        String size = style.get("font-size");
        if (size == null) {
            Matcher font = SIZE_OF_FONT.matcher(style.getOrDefault("font", ""));
            size = font.find() ? font.group(1) : null;
        }
        boolean inherits =
                size == null || (parent.tiny() && RELATIVE.matcher(size).matches());
        String color = color(first(style.get("color"), attributes.get("color")), parent.color());
        String background = color(
                first(style.get("background-color"), style.get("background"), attributes.get("bgcolor")),
                parent.background());
        return new Element(
                name,
                parent.removed() || attributes.containsKey("hidden") || removes(name, style),
                visibility == null ? parent.invisible() : visibility.equals("hidden") || visibility.equals("collapse"),
                (inherits || size == null) ? parent.tiny() : TINY.matcher(size).matches(),
                color,
                background.equals("transparent") ? parent.background() : background);
    }

    private static @Nullable String first(@Nullable String... values) {
        for (String value : values) {
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /** Whether the style removes an element and all in it from the page. */
    private static boolean removes(String name, Map<String, String> style) {
        String overflow = style.getOrDefault("overflow", "");
        boolean clips = overflow.equals("hidden")
                || overflow.equals("clip")
                || style.getOrDefault("overflow-y", "").equals("hidden")
                || style.getOrDefault("overflow-x", "").equals("hidden");
        return style.getOrDefault("display", "").equals("none")
                || isZero(style, "opacity")
                // Outlook alone hides it. It does so with a link where it shows a button of its own instead.
                || (!name.equals("a") && style.getOrDefault("mso-hide", "").equals("all"))
                || (clips
                        && Stream.of("max-height", "height", "max-width", "width")
                                .anyMatch(property -> isZero(style, property)))
                || Stream.of("left", "top", "text-indent", "margin-left")
                        .anyMatch(property -> FAR_LEFT.matcher(style.getOrDefault(property, ""))
                                .matches());
    }

    private static boolean isZero(Map<String, String> style, String property) {
        return ZERO.matcher(style.getOrDefault(property, "")).matches();
    }

    /** The declarations of a style attribute, in lower case, without comments and {@code !important}; of two the later one. */
    private static Map<String, String> declarations(String style) {
        Map<String, String> declarations = new HashMap<>();
        String plain = NO_DECLARATION.matcher(style.toLowerCase(Locale.ROOT)).replaceAll("");
        Matcher declaration = DECLARATION.matcher(SPACES.matcher(plain).replaceAll(" "));
        while (declaration.find()) {
            declarations.put(declaration.group(1), Words.trimmed(declaration.group(2)));
        }
        return declarations;
    }

    /** A color in one notation; empty if it is not known, and the inherited one if none is given. */
    private static String color(@Nullable String text, String inherited) {
        if (text == null) {
            return inherited;
        }
        String lower = text.toLowerCase(Locale.ROOT);
        Matcher found = COLOR.matcher(lower);
        if (lower.contains("url(") || lower.contains("gradient") || !found.find()) {
            return "";
        }
        String color = found.group();
        if (color.equals("inherit")) {
            return inherited;
        }
        Matcher hex = HEX.matcher(color);
        if (hex.matches()) {
            int from = hex.group(1) == null ? 4 : 1;
            return channel(hex.group(from)) + "," + channel(hex.group(from + 1)) + "," + channel(hex.group(from + 2));
        }
        Matcher rgb = RGB.matcher(color);
        if (rgb.matches()) {
            return rgb.group(4) != null && ZERO.matcher(rgb.group(4)).matches()
                    ? "transparent"
                    : Integer.valueOf(rgb.group(1)) + "," + Integer.valueOf(rgb.group(2)) + ","
                            + Integer.valueOf(rgb.group(3));
        }
        return NAMES.getOrDefault(color, "");
    }

    private static int channel(String digits) {
        return Integer.parseInt(digits.length() == 1 ? digits + digits : digits, 16);
    }
}
