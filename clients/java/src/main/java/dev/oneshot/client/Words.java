package dev.oneshot.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists of words, as {@code clients/cases/words.txt} describes them, and the rule of folding: the same words of e-mails are the
 * same characters.
 */
final class Words {

    private static final Pattern SECTION = Pattern.compile("\\[([a-z]+)\\]");
    private static final Pattern LANGUAGE = Pattern.compile("^[a-z]{2,5}: ");
    private static final Pattern SEPARATOR = Pattern.compile(" \\| ");
    private static final Pattern BLANK = Pattern.compile(" ");
    private static final Pattern STARS = Pattern.compile("^\\*|\\*$");
    private static final char VOICED = '\u3099';
    private static final char SEMI_VOICED = '\u309a';

    private static final Map<String, List<String>> SECTIONS = sections();
    private static final Map<Character, Character> SAME = same();

    private final Map<Character, List<Entry>> byFirst = new HashMap<>();

    /** A word of a list in a folded text, and the section it is from. */
    record Found(String kind, int start, int end) {

        boolean isLabel() {
            return !kind.equals("other");
        }
    }

    /** A word; {@code anywhere} if it is of a script without blanks. */
    private record Entry(String kind, String text, boolean openBefore, boolean openAfter, boolean anywhere) {}

    Words(String... kinds) {
        for (String kind : kinds) {
            lines(kind).stream().flatMap(SEPARATOR::splitAsStream).forEach(word -> add(kind, word));
        }
        byFirst.values()
                .forEach(entries -> entries.sort(
                        Comparator.comparingInt((Entry entry) -> entry.text().length())
                                .reversed()));
    }

    private void add(String kind, String word) {
        String text = lowerCase(plain(STARS.matcher(word).replaceAll("")));
        byFirst.computeIfAbsent(text.charAt(0), first -> new ArrayList<>())
                .add(new Entry(kind, text, word.startsWith("*"), word.endsWith("*"), isWithoutBlanks(text.charAt(0))));
    }

    private static Map<String, List<String>> sections() {
        Map<String, List<String>> sections = new HashMap<>();
        try (InputStream file = Objects.requireNonNull(Words.class.getResourceAsStream("words.txt"));
                BufferedReader reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            List<String> section = new ArrayList<>();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                var name = SECTION.matcher(line);
                if (name.matches()) {
                    section = new ArrayList<>();
                    sections.put(name.group(1), section);
                } else if (!line.isEmpty() && !line.startsWith("# ")) {
                    section.add(LANGUAGE.matcher(line).replaceFirst(""));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sections;
    }

    private static Map<Character, Character> same() {
        Map<Character, Character> same = new HashMap<>();
        characters("same").forEach(pair -> same.put(pair.charAt(0), pair.charAt(1)));
        characters("zero").forEach(zero -> {
            for (int i = 0; i < 10; i++) {
                same.put((char) (zero.charAt(0) + i), (char) ('0' + i));
            }
        });
        return same;
    }

    private static Stream<String> characters(String section) {
        return lines(section).stream().flatMap(BLANK::splitAsStream);
    }

    /** The lines of a section, without the names of languages. */
    static List<String> lines(String section) {
        return Objects.requireNonNull(SECTIONS.get(section));
    }

    /**
     * Text in which the same words are the same characters: compatibility forms (NFKD) without accents and invisible
     * characters, composed again, with ASCII digits.
     */
    static String plain(String text) {
        String decomposed = Normalizer.normalize(text, Normalizer.Form.NFKD);
        StringBuilder kept = new StringBuilder(decomposed.length());
        decomposed.codePoints().filter(Words::isKept).forEach(kept::appendCodePoint);
        StringBuilder plain = new StringBuilder(Normalizer.normalize(kept, Normalizer.Form.NFC));
        for (int i = 0; i < plain.length(); i++) {
            plain.setCharAt(i, SAME.getOrDefault(plain.charAt(i), plain.charAt(i)));
        }
        return plain.toString();
    }

    private static boolean isKept(int c) {
        int type = Character.getType(c);
        return c == VOICED
                || c == SEMI_VOICED
                || (type != Character.NON_SPACING_MARK && type != Character.FORMAT && c != 0x115f && c != 0x1160);
    }

    /** The same in lower case. It is as long, as each character is folded by itself. */
    static String lowerCase(String text) {
        StringBuilder lower = new StringBuilder(text.length());
        text.codePoints().map(Character::toLowerCase).forEach(lower::appendCodePoint);
        return lower.toString();
    }

    static String folded(String text) {
        return lowerCase(plain(text));
    }

    /** Without white space and controls at either end: what {@link #isBlank} says. */
    static String trimmed(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isBlank(text.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    /** White space of Unicode, controls of ASCII, and the invisible characters that stand for a blank. */
    private static boolean isBlank(char c) {
        return c <= 0x20
                || (c >= 0x7f && c <= 0xa0)
                || c == 0x1680
                || (c >= 0x2000 && c <= 0x200b)
                || c == 0x2028
                || c == 0x2029
                || c == 0x202f
                || c == 0x205f
                || c == 0x2060
                || c == 0x3000
                || c == 0xfeff;
    }

    /** A letter, or a mark of one. */
    static boolean isWordCharacter(CharSequence text, int index) {
        if (index < 0 || index >= text.length()) {
            return false;
        }
        char c = text.charAt(index);
        int type = Character.getType(c);
        return Character.isLetter(c)
                || type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }

    /** Whether a character is of a script that is written without blanks between words. */
    static boolean isWithoutBlanks(char c) {
        return (c >= 0x0e00 && c <= 0x0eff)
                || (c >= 0x1000 && c <= 0x109f)
                || (c >= 0x1780 && c <= 0x17ff)
                || (c >= 0x2e80 && c <= 0xd7ff)
                || (c >= 0xf900 && c <= 0xfaff);
    }

    /** The words in a folded text, from the left, the longest first. */
    List<Found> in(String folded) {
        List<Found> all = new ArrayList<>();
        int previousEnd = 0;
        for (int at = 0; at < folded.length(); ) {
            Found found = at(folded, at);
            if (found == null) {
                at++;
                continue;
            }
            int start = found.start();
            while (start > previousEnd && continues(folded, start)) {
                start--;
            }
            all.add(new Found(found.kind(), start, found.end()));
            previousEnd = found.end();
            at = previousEnd;
        }
        return all;
    }

    boolean has(String folded) {
        for (int at = 0; at < folded.length(); at++) {
            if (at(folded, at) != null) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of the words ends here. */
    boolean endsAt(String folded, int end) {
        int start = end;
        while (continues(folded, start - 1)) {
            start--;
        }
        Found found = start > 0 ? at(folded, start - 1) : null;
        return found != null && found.end() == end;
    }

    /** The longest word that begins here. */
    @Nullable
    Found at(String folded, int start) {
        if (start >= folded.length()) {
            return null;
        }
        boolean inside = continues(folded, start);
        for (Entry entry : byFirst.getOrDefault(folded.charAt(start), List.of())) {
            if (inside && !entry.openBefore() && !entry.anywhere()) {
                continue;
            }
            int end = end(entry.text(), folded, start);
            if (end < 0 || (!entry.anywhere() && !entry.openAfter() && continues(folded, end))) {
                continue;
            }
            while (!entry.anywhere() && continues(folded, end)) {
                end++;
            }
            return new Found(entry.kind(), start, end);
        }
        return null;
    }

    private static int end(String word, String folded, int start) {
        if (start + word.length() > folded.length()) {
            return -1;
        }
        for (int i = 0; i < word.length(); i++) {
            char c = folded.charAt(start + i);
            if (c != word.charAt(i) && !(word.charAt(i) == ' ' && c == '-')) {
                return -1;
            }
        }
        return start + word.length();
    }

    /** Whether the character belongs to the word before it; in scripts without blanks each begins a word. */
    private static boolean continues(String folded, int at) {
        return isWordCharacter(folded, at)
                && isWordCharacter(folded, at - 1)
                && !isWithoutBlanks(folded.charAt(at))
                && !isWithoutBlanks(folded.charAt(at - 1));
    }
}
