package dev.oneshot.client;

import dev.oneshot.client.HtmlText.Anchor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Finds the links of an e-mail. {@code clients/README.md} describes how, for all languages of the clients. */
final class Links {

    static final int CHARACTERS_MAX = 200_000;

    private static final int CONTEXT_CHARACTERS_MAX = 200;
    private static final int URL_CHARACTERS_MAX = 8000;
    private static final int SCORE_MIN = 20;

    private static final Pattern WEB = Pattern.compile("https?://[^/].*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern URL_START = Pattern.compile("https?://", Pattern.CASE_INSENSITIVE);
    private static final Pattern URL_BRACKET = Pattern.compile("<(?:URL:)?$", Pattern.CASE_INSENSITIVE);
    private static final Pattern BRACKET_OR_QUOTE = Pattern.compile("[<>\"]");
    private static final Pattern BLANK_LINE = Pattern.compile("\n[ \\t\r]*\n");
    private static final Pattern BREAKS = Pattern.compile("[ \\t]*[\r\n]+[ \\t]*");
    private static final Pattern TABS_AND_LINE_ENDS = Pattern.compile("[\\t\\n\\r]");
    private static final Pattern ASCII = Pattern.compile("[!#-;=?-Z_a-z~|\\[\\]]");
    private static final Pattern LETTER = Pattern.compile("[\\p{L}\\p{M}\\p{N}]");
    private static final Pattern GOES_ON = Pattern.compile("[/?#=&%-].?|\\.[^ \r\n.]", Pattern.DOTALL);
    private static final Pattern LINE_OR_SENTENCE_END = Pattern.compile("[\n\r]|[.!?。؟।](?: |$)");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{16,}");
    private static final Pattern ORIGIN = Pattern.compile("^[^:]+://[^/?#]*");
    private static final Pattern TARGET = Pattern.compile("=[^&#;]*(?:%2[fF]|/|:)[^&#;]*");
    private static final Pattern DENYING_PARAMETER = Pattern.compile(
            "[?&;](?:action|do|op|cmd|mode|answer|choice|decision|response)=([a-z_-]{2,20})(?![a-z0-9%_-])");
    private static final Pattern REFUSING_PARAMETER =
            Pattern.compile("[?&;](?:confirm|confirmed|verify|approve|accept|valid)=(?:no|false|0|n)(?![a-z0-9])");

    private static final Words CONFIRM = new Words("confirm");
    private static final Words SIGN_IN = new Words("signin");
    private static final Words DENY = new Words("deny");
    private static final Words NEGATION = new Words("negation");
    private static final Words DENY_OR_NEGATION = new Words("deny", "negation");
    private static final Words IGNORE = new Words("ignore");
    private static final Words ASIDE = new Words("aside");

    /**
     * A link, with the words around it.
     *
     * @param previous the sentence in front of {@code before}
     */
    private record Place(String text, String href, String previous, String before, String after) {

        Place withText(String other) {
            return new Place(other, href, previous, before, after);
        }

        Link link() {
            return new Link(text, href);
        }
    }

    private Links() {}

    static String cut(String body) {
        return body.substring(0, Math.min(body.length(), CHARACTERS_MAX));
    }

    static List<Link> of(String textBody, String htmlBody) {
        return places(textBody, htmlBody).stream().map(Place::link).toList();
    }

    /** The link that confirms an address, by the words in it and around it; without such words the only one with a token. */
    static Optional<Link> verification(String textBody, String htmlBody) {
        Place best = null;
        int bestScore = SCORE_MIN - 1;
        List<Place> withToken = new ArrayList<>();
        for (Place place : places(textBody, htmlBody)) {
            int score = score(place);
            if (score > bestScore) {
                best = place;
                bestScore = score;
            }
            if (score >= 0 && TOKEN.matcher(path(place.href())).find()) {
                withToken.add(place);
            }
        }
        if (best == null && withToken.size() == 1) {
            best = withToken.get(0);
        }
        return Optional.ofNullable(best).map(Place::link);
    }

    private static Collection<Place> places(String textBody, String htmlBody) {
        HtmlText html = new HtmlText(cut(htmlBody));
        Map<String, Place> places = new LinkedHashMap<>();
        List<Anchor> anchors = html.anchors();
        for (int i = 0; i < anchors.size(); i++) {
            String text = anchors.get(i).text();
            String href = withoutLineEnds(anchors.get(i).href());
            Place first = places.get(href);
            if (first != null && first.text().isEmpty()) {
                places.put(href, first.withText(text));
            } else if (first == null && WEB.matcher(href).matches()) {
                places.put(href, place(text, href, html.text(), anchors, i));
            }
        }
        for (String text : List.of(html.textOutsideLinks(), cut(textBody))) {
            List<Anchor> urls = urls(text);
            for (int i = 0; i < urls.size(); i++) {
                String href = urls.get(i).href();
                if (!places.containsKey(href)) {
                    places.put(href, place(href, href, text, urls, i));
                }
            }
        }
        return places.values();
    }

    /** As the URL parser of WHATWG: without white space and controls at the ends, and without tabs and line ends inside. */
    private static String withoutLineEnds(String href) {
        return TABS_AND_LINE_ENDS.matcher(Words.trimmed(href)).replaceAll("");
    }

    /** The URLs in a text. */
    private static List<Anchor> urls(String text) {
        List<Anchor> urls = new ArrayList<>();
        int at = 0;
        Matcher scheme = URL_START.matcher(text);
        while (scheme.find()) {
            int start = scheme.start();
            if (start < at) {
                continue;
            }
            int bracket = bracket(text, start);
            int end = bracket >= 0 ? bracket : endOfUrl(text, start, scheme.end());
            if (end > scheme.end()) {
                String href = text.substring(start, end);
                urls.add(new Anchor("", bracket >= 0 ? withoutBreaks(href) : href, start, end));
                at = end;
            }
        }
        return urls;
    }

    /** The end of a URL in angle brackets (RFC 3986, appendix C), which may have blanks in it; -1 if it is not in brackets. */
    private static int bracket(String text, int start) {
        if (!URL_BRACKET.matcher(text.substring(Math.max(0, start - 5), start)).find()) {
            return -1;
        }
        String rest = text.substring(start, Math.min(text.length(), start + URL_CHARACTERS_MAX));
        Matcher end = BRACKET_OR_QUOTE.matcher(rest);
        boolean isClosed = end.find()
                && end.group().equals(">")
                && !BLANK_LINE.matcher(rest.substring(0, end.start())).find();
        return isClosed ? start + end.start() : -1;
    }

    /** A line end in a URL is layout, with the blanks around it. */
    private static String withoutBreaks(String url) {
        return Words.trimmed(BREAKS.matcher(url).replaceAll(""));
    }

    /** The end of a URL in a sentence: without what ends the sentence, or closes what was opened before the URL. */
    private static int endOfUrl(String text, int start, int from) {
        Deque<Character> open = new ArrayDeque<>();
        int limit = Math.min(text.length(), start + URL_CHARACTERS_MAX);
        int end = from;
        while (end < limit) {
            char c = text.charAt(end);
            int next = end + 1;
            if (c == '(' || c == '[') {
                open.push(c);
            } else if (c == ')' || c == ']') {
                Character opened = open.poll();
                next = opened != null && opened == (c == ')' ? '(' : '[') ? next : end;
            } else if (c > 0x7f) {
                next = endOfLetters(text, end);
            } else if (!ASCII.matcher(String.valueOf(c)).matches()) {
                next = end;
            }
            if (next == end) {
                break;
            }
            end = next;
        }
        return withoutPunctuation(text, start, from, end);
    }

    /** The end of letters that are not ASCII. Those of scripts without blanks belong to a URL only if it goes on after them. */
    private static int endOfLetters(String text, int start) {
        int end = start;
        boolean isWithout = false;
        while (end < text.length() && text.charAt(end) > 0x7f) {
            String c = Character.toString(text.codePointAt(end));
            if (!LETTER.matcher(c).matches()) {
                break;
            }
            isWithout |= Words.isWithoutBlanks(text.charAt(end));
            end += c.length();
        }
        String next = text.substring(end, Math.min(text.length(), end + 2));
        return isWithout && !GOES_ON.matcher(next).matches() ? start : end;
    }

    private static int withoutPunctuation(String text, int start, int from, int to) {
        int end = to;
        while (end > from) {
            char last = text.charAt(end - 1);
            if ("*_'~".indexOf(last) >= 0 ? !isOpen(text, start, last) : ".,;:!?([|".indexOf(last) < 0) {
                break;
            }
            end--;
        }
        return end;
    }

    /** Whether this character, as around {@code *bold*} text, stands before a word of the line and not after one. */
    private static boolean isOpen(String text, int start, char mark) {
        int from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - CONTEXT_CHARACTERS_MAX);
        boolean open = false;
        for (int i = from; i < start; i++) {
            if (text.charAt(i) == mark) {
                open = i == from
                        || (!Words.isWordCharacter(text, i - 1) && "0123456789.,:;!?)".indexOf(text.charAt(i - 1)) < 0);
            }
        }
        return open;
    }

    /** A link with the last two sentences before it, also from lines above, and the words after it, up to the next links. */
    private static Place place(String shown, String href, String text, List<Anchor> links, int index) {
        int start = links.get(index).start();
        int end = links.get(index).end();
        int from = index == 0 ? 0 : links.get(index - 1).end();
        int to =
                index + 1 == links.size() ? text.length() : links.get(index + 1).start();
        from = Math.min(start, Math.max(from, start - CONTEXT_CHARACTERS_MAX));
        to = Math.max(end, Math.min(to, end + CONTEXT_CHARACTERS_MAX));
        String previous = "";
        String before = "";
        for (String sentence : LINE_OR_SENTENCE_END.split(text.substring(from, start), -1)) {
            if (hasWord(sentence)) {
                previous = before;
                before = sentence;
            }
        }
        String after = LINE_OR_SENTENCE_END.split(text.substring(end, Math.min(to, text.length())), -1)[0];
        return new Place(shown, href, previous, before, after);
    }

    private static boolean hasWord(String sentence) {
        return IntStream.range(0, sentence.length()).anyMatch(i -> Words.isWordCharacter(sentence, i));
    }

    /** How well a link fits; -1 if it is none that confirms. */
    private static int score(Place place) {
        String href = place.href();
        boolean isShown =
                !place.text().equals(href) && !URL_START.matcher(place.text()).lookingAt();
        String shown = isShown ? Words.folded(place.text()) : "";
        boolean confirms = CONFIRM.has(shown);
        if (DENY.has(shown) || NEGATION.has(shown) || (!confirms && ASIDE.has(shown))) {
            return -1;
        }
        String path = path(href);
        boolean hasToken = TOKEN.matcher(path).find();
        int query = path.indexOf('?') < 0 ? path.length() : path.indexOf('?');
        String route = Words.folded(path.substring(0, query).replaceAll("[_.]", " "));
        String targetless = TARGET.matcher(path).replaceAll("=");
        String rest = targetless.substring(Math.min(query, targetless.length()));
        String ownPath = Words.folded((route + " " + rest).replace('_', ' '));
        boolean pathConfirms = CONFIRM.has(ownPath);
        String before = Words.folded(place.before());
        String after = Words.folded(place.after());
        if (!confirms
                && (denies(route, Words.folded(path))
                        || (ASIDE.has(route) && !(pathConfirms && hasToken))
                        || deniesBefore(Words.folded(place.previous()), before, pathConfirms)
                        || (DENY.has(after) && !pathConfirms))) {
            return -1;
        }
        int own = confirms ? 40 : SIGN_IN.has(shown) ? 20 : 0;
        int ofPath = pathConfirms ? 25 : SIGN_IN.has(ownPath) ? 10 : 0;
        return own + (confirms ? 0 : contextPoints(before, after)) + ofPath + (hasToken ? 15 : 0);
    }

    /**
     * Whether the sentence before the link denies. The one before that counts too, as in <i>Not you? Click here:</i>, unless it
     * asks to ignore the e-mail, or the next one confirms.
     */
    private static boolean deniesBefore(String previous, String before, boolean pathConfirms) {
        boolean goesOn = DENY.has(previous) && !IGNORE.has(previous) && !CONFIRM.has(before);
        String sentence = goesOn ? previous + " " + before : before;
        boolean isOfTwoMinds = pathConfirms && (CONFIRM.has(sentence) || IGNORE.has(sentence));
        return DENY.has(sentence) && !isOfTwoMinds;
    }

    private static int contextPoints(String before, String after) {
        return CONFIRM.has(before) || CONFIRM.has(after) ? 12 : SIGN_IN.has(before) ? 5 : 0;
    }

    /** Whether the path, or a parameter that says what to do, denies. */
    private static boolean denies(String route, String path) {
        return DENY.has(route)
                || REFUSING_PARAMETER.matcher(path).find()
                || DENYING_PARAMETER
                        .matcher(path)
                        .results()
                        .anyMatch(parameter ->
                                DENY_OR_NEGATION.has(parameter.group(1).replace('_', ' ')));
    }

    private static String path(String href) {
        return ORIGIN.matcher(href).replaceFirst("");
    }
}
