package dev.oneshot.client;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A line of an e-mail: its text with a tilde for each number that is no code, the words in it, and what may be a code. */
final class CodeLine {

    private static final int CHARACTERS_MAX = 1000;
    /** Words between a label and its code. */
    private static final int CONNECTORS_MAX = 5;

    private static final int NAME_CHARACTERS_MAX = 20;

    private static final Pattern MASK = Pattern.compile(String.join("|", Words.lines("mask")));
    private static final Words MARKS = new Words("label", "secret", "other");
    private static final Words CONNECTORS = new Words("connector", "number");
    private static final Words NUMBERS = new Words("number");
    private static final Words MEASURES = new Words("unit", "money");
    private static final Words ENDINGS = new Words("ending");
    /** A number after these is another one, unless they follow a label. */
    private static final Words NAMES = new Words("number", "money");
    /** Capitals that are no code. */
    private static final Words CAPITALS = new Words("word", "confirm", "signin", "deny", "aside", "label", "secret");

    private static final Pattern CANDIDATE = Pattern.compile("(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)(?:(?:[0-9]{4} [0-9]{4}"
            + "|[0-9]{3} ?[-.|] ?[0-9]{3}|[0-9]{3} [0-9]{3}|[0-9]{2} [0-9]{2} [0-9]{2}|[A-Z0-9](?: [A-Z0-9]){3,9}"
            + "|[0-9](?:-[0-9]){3,7})(?! ?[0-9])|[A-Za-z0-9]{1,10}(?:-[A-Za-z0-9]{2,8}){0,3})(?!-?[A-Za-z0-9])");
    private static final Pattern DIGITS = Pattern.compile("[0-9]{4,8}");
    private static final Pattern SPACED = Pattern.compile("[A-Z0-9](?: [A-Z0-9])+");
    private static final Pattern GROUPS = Pattern.compile("[0-9]+(?:[ .|-]+[0-9]+)+");
    private static final Pattern YEAR = Pattern.compile("(?:19|20)[0-9]{2}");
    private static final Pattern PREFIXED = Pattern.compile("[A-Z]{1,3}-[0-9]{4,8}");
    private static final Pattern MIXED =
            Pattern.compile("(?=.*[0-9])(?:(?=.*[A-Z])[A-Z0-9]{4,10}|[A-Z0-9]{3,5}(?:-[A-Z0-9]{3,5}){1,3})");
    /** Words look like these, so that they need to be announced. */
    private static final Pattern CAPITALS_ONLY = Pattern.compile("[A-Z]{4,8}|[A-Z]{3,5}(?:-[A-Z]{3,5}){1,3}");

    private static final Pattern OF_A_SHOP = Pattern.compile("[A-Z]{3,}[0-9]{0,4}");
    private static final Pattern WITH_LOWER_CASE = Pattern.compile("(?=.*[0-9])(?=.*[a-z])[A-Za-z0-9]{5,10}");
    private static final Pattern SPACES = Pattern.compile("[\\x00- \\u00a0\\u1680]+");
    private static final Pattern TILE = Pattern.compile("[A-Z0-9]|[0-9]{2,3}");
    private static final Pattern NAME_GAP = Pattern.compile("[ .:#]*");
    private static final String CLAUSE_ENDS = ",;!?~。、؟،";

    /** A token that may be a code. A doubtful one may be a word too. */
    record Candidate(String value, int start, int end, int shape, String what) {

        boolean isDoubtful() {
            return shape == 6;
        }

        boolean isYear() {
            return YEAR.matcher(value).matches();
        }

        boolean isNumber() {
            return DIGITS.matcher(value).matches();
        }

        /** Whether it looks like a shop's code, such as {@code SAVE20}. */
        boolean isOfAShop() {
            return OF_A_SHOP.matcher(value).matches();
        }
    }

    private final String text;
    private final String folded;
    private final List<Words.Found> marks;
    private final List<Candidate> candidates;
    private final boolean isAlone;

    CodeLine(String line, int candidatesMax) {
        String lower = Words.lowerCase(line);
        StringBuilder masked = new StringBuilder();
        Matcher mask = MASK.matcher(lower);
        int at = 0;
        while (mask.find()) {
            masked.append(line, at, mask.start()).append('~');
            at = mask.end();
        }
        text = masked.append(line, at, line.length()).toString();
        folded = Words.lowerCase(text);
        marks = MARKS.in(folded);
        List<Candidate> all = candidates(text);
        candidates = all.subList(0, Math.min(all.size(), candidatesMax));
        isAlone = candidates.size() == 1
                && !hasContent(0, candidates.get(0).start())
                && !hasContent(candidates.get(0).end(), text.length());
    }

    String text() {
        return text;
    }

    String folded() {
        return folded;
    }

    List<Words.Found> marks() {
        return marks;
    }

    List<Candidate> candidates() {
        return candidates;
    }

    /** Whether it has nothing but a candidate. */
    boolean isAlone() {
        return isAlone;
    }

    boolean hasLabel() {
        return marks.stream().anyMatch(Words.Found::isLabel);
    }

    /** The text of a line, bounded, with white space collapsed. */
    static String collapsed(String line) {
        return Words.trimmed(SPACES.matcher(line.substring(0, Math.min(line.length(), CHARACTERS_MAX)))
                .replaceAll(" "));
    }

    /** Joins a code that is laid out over lines: its characters, or groups of two or three digits. */
    static List<String> joined(List<String> lines) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < lines.size(); ) {
            int tile = tile(lines.get(i));
            int end = i;
            while (tile > 0 && end < lines.size() && tile(lines.get(end)) == tile) {
                end++;
            }
            int count = end - i;
            boolean isCode = tile == 1 ? count >= 4 && count <= 10 : tile == 2 ? count == 3 : tile == 3 && count == 2;
            end = Math.max(end, i + 1);
            if (isCode) {
                all.add(String.join(" ", lines.subList(i, end)));
            } else {
                all.addAll(lines.subList(i, end));
            }
            i = end;
        }
        return all;
    }

    /** The length of a line that may be a part of a code; 0 for others. */
    private static int tile(String line) {
        return TILE.matcher(line).matches() ? line.length() : 0;
    }

    private static List<Candidate> candidates(String text) {
        List<Candidate> candidates = new ArrayList<>();
        Matcher matcher = CANDIDATE.matcher(text);
        while (matcher.find()) {
            String token = matcher.group();
            String value = SPACED.matcher(token).matches()
                    ? token.replace(" ", "")
                    : GROUPS.matcher(token).matches() ? token.replaceAll("[ .|-]", "") : token;
            Candidate candidate = candidate(value, matcher.start(), matcher.end());
            if (candidate != null) {
                candidates.add(candidate);
            }
        }
        return candidates;
    }

    private static @Nullable Candidate candidate(String value, int start, int end) {
        if (DIGITS.matcher(value).matches()) {
            int length = value.length();
            int shape = length == 6 ? 20 : length == 4 ? 8 : 12;
            return new Candidate(value, start, end, shape, length + " digits");
        } else if (PREFIXED.matcher(value).matches()) {
            return new Candidate(value, start, end, 18, "a prefix and digits");
        } else if (MIXED.matcher(value).matches()) {
            return new Candidate(value, start, end, 14, "letters and digits");
        } else if (WITH_LOWER_CASE.matcher(value).matches()) {
            return new Candidate(value, start, end, 6, "letters and digits, announced");
        } else if (CAPITALS_ONLY.matcher(value).matches() && !CAPITALS.has(Words.lowerCase(value))) {
            return new Candidate(value, start, end, 6, "letters, announced");
        }
        return null;
    }

    /** Whether a word next to it, or its form, says that it is another number. */
    boolean isOther(Candidate candidate) {
        int start = candidate.start();
        int end = candidate.end();
        boolean isSeparated = end < folded.length() && (folded.charAt(end) == ' ' || folded.charAt(end) == '-');
        int next = isSeparated ? end + 1 : end;
        if (ENDINGS.at(folded, next) != null) {
            return true;
        }
        Words.Found before = null;
        for (Words.Found mark : marks) {
            before = mark.end() <= start ? mark : before;
        }
        if (before != null && joins(before.end(), start)) {
            return !before.isLabel();
        }
        if (candidate.isYear() || MEASURES.at(folded, next) != null) {
            return true;
        }
        if (folded.startsWith(" (", end)) {
            Words.Found inBrackets = MARKS.at(folded, end + 2);
            // In "(ref: 1234)" the mark has a number of its own.
            if (inBrackets != null
                    && !inBrackets.isLabel()
                    && joins(inBrackets.end(), (folded + ")").indexOf(")", inBrackets.end()))) {
                return true;
            }
        }
        String near = folded.substring(Math.max(0, start - NAME_CHARACTERS_MAX), start);
        List<Words.Found> names = NAMES.in(near);
        return !names.isEmpty()
                && NAME_GAP.matcher(near.substring(names.get(names.size() - 1).end()))
                        .matches();
    }

    /** Whether only connectors stand between the two indexes, and no end of a clause. */
    boolean joins(int from, int to) {
        int words = 0;
        for (int at = from; at < to; ) {
            if (Words.isWordCharacter(folded, at)) {
                Words.Found connector = CONNECTORS.at(folded, at);
                if (connector == null || connector.end() > to || ++words > CONNECTORS_MAX) {
                    return false;
                }
                at = connector.end();
            } else {
                char c = folded.charAt(at);
                boolean isClauseEnd = CLAUSE_ENDS.indexOf(c) >= 0
                        || (c == '.' && folded.startsWith(". ", at) && !NUMBERS.endsAt(folded, at));
                if (isClauseEnd || (c >= '0' && c <= '9')) {
                    return false;
                }
                at++;
            }
        }
        return true;
    }

    boolean hasContent(int start, int end) {
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (c == '~' || (c >= '0' && c <= '9') || Words.isWordCharacter(text, i)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the line ends with a colon, or with its label. */
    boolean endsWithLabel() {
        Words.Found last = null;
        for (Words.Found mark : marks) {
            last = mark.isLabel() ? mark : last;
        }
        return text.endsWith(":") || (last != null && joins(last.end(), text.length()));
    }

    /** Whether the line says that the number below it is another one, rather than being a sentence with such a word. */
    boolean namesOther() {
        Words.Found last = marks.isEmpty() ? null : marks.get(marks.size() - 1);
        return last != null
                && !last.isLabel()
                && joins(last.end(), text.length())
                && (text.endsWith(":") || text.endsWith("#") || joins(0, last.start()));
    }

    static boolean hasMark(String folded) {
        return MARKS.has(folded);
    }

    static boolean beginsWithConnector(String gap) {
        for (int i = 0; i < gap.length(); i++) {
            char c = gap.charAt(i);
            if ("-=:".indexOf(c) >= 0 && gap.startsWith(" ", i + 1)) {
                return true;
            }
            if (Words.isWordCharacter(gap, i)) {
                return CONNECTORS.at(gap, i) != null;
            }
            if (",;.!?~。、".indexOf(c) >= 0) {
                return false;
            }
        }
        return false;
    }

    /** The index after the last connector; -1 if there is none. */
    static int endOfConnectors(String gap) {
        List<Words.Found> words = CONNECTORS.in(gap);
        return words.isEmpty() ? -1 : words.get(words.size() - 1).end();
    }
}
