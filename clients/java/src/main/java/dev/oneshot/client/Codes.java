package dev.oneshot.client;

import dev.oneshot.client.CodeLine.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the one-time codes of an e-mail. {@code clients/README.md} describes how, for all languages of the clients. */
final class Codes {

    /** Codes stand in short e-mails. The bounds keep the time of a hostile one short, and the regular expressions shallow. */
    private static final int CHARACTERS_MAX = 50_000;

    private static final int CANDIDATES_MAX = 500;
    private static final int SCORES_APART_MAX = 25;

    private static final Pattern FULL_WIDTH = Pattern.compile("[，；：。！？]");
    private static final Pattern LINE_END = Pattern.compile("\r\n|[\n\r\\u0085\\u2028\\u2029]");
    private static final Pattern LIST = Pattern.compile(" ?[,;/|、] ?| ?[^,;.!?~]{1,6} ");
    private static final Pattern OF_A_SENTENCE = Pattern.compile("[a-z\\u0370-\\uffff]");
    private static final Pattern WORD_OR_QUOTE = Pattern.compile("[\\p{L}\"'「\\[(*]");
    private static final Pattern CLOSES = Pattern.compile("^[\"'」\\])*]*(?:[.,!。]|$| ?です| ?입니다)");
    private static final Pattern CONTENT = Pattern.compile("[\\p{L}\\p{M}~,;]");

    /** How near a label is, and which. */
    private record Nearness(int score, String why) {}

    private final List<CodeLine> lines;
    /** For each line and candidate, the nearness of a label in the line. */
    private final List<Map<Candidate, Nearness>> near = new ArrayList<>();
    /** For each line, whether one of its labels has no code in it. */
    private final List<Boolean> announces = new ArrayList<>();

    private Codes(List<CodeLine> lines) {
        this.lines = lines;
        for (CodeLine line : lines) {
            Map<Candidate, Nearness> claimed = new LinkedHashMap<>();
            boolean left = false;
            for (int i = 0; i < line.marks().size(); i++) {
                if (line.marks().get(i).isLabel()) {
                    Map<Candidate, Nearness> claims = claims(line, i);
                    left |= claims.isEmpty();
                    claims.forEach((candidate, nearness) -> claimed.merge(
                            candidate, nearness, (first, other) -> other.score() > first.score() ? other : first));
                }
            }
            near.add(claimed);
            announces.add(left);
        }
    }

    static List<Code> of(String subject, String textBody, String htmlBody) {
        Map<String, Code> best = new LinkedHashMap<>();
        for (String body : List.of(textBody, new HtmlText(Links.cut(htmlBody)).text())) {
            for (Code code : new Codes(read(subject + "\n" + body)).all()) {
                best.merge(code.value(), code, (first, other) -> other.score() > first.score() ? other : first);
            }
        }
        int top = best.values().stream().mapToInt(Code::score).max().orElse(0);
        return best.values().stream()
                .filter(code -> code.score() >= top - SCORES_APART_MAX)
                .sorted(Comparator.comparingInt(Code::score).reversed())
                .toList();
    }

    private static List<CodeLine> read(String document) {
        String spaced = FULL_WIDTH
                .matcher(document.substring(0, Math.min(document.length(), CHARACTERS_MAX)))
                .replaceAll("$0 ");
        List<String> texts = LINE_END.splitAsStream(Words.plain(spaced))
                .map(CodeLine::collapsed)
                .filter(line -> !line.isEmpty())
                .toList();
        List<CodeLine> lines = new ArrayList<>();
        int left = CANDIDATES_MAX;
        for (String text : CodeLine.joined(texts)) {
            CodeLine line = new CodeLine(text, left);
            left -= line.candidates().size();
            lines.add(line);
        }
        return lines;
    }

    private List<Code> all() {
        List<Code> codes = new ArrayList<>();
        boolean hasLabel = lines.stream().anyMatch(CodeLine::hasLabel);
        Set<String> numbers = hasLabel ? Set.of() : numbers();
        for (int i = 0; i < lines.size(); i++) {
            CodeLine line = lines.get(i);
            for (Candidate candidate : line.candidates()) {
                if (line.isOther(candidate)) {
                    continue;
                }
                CodeSentence sentence = new CodeSentence(line, candidate);
                Nearness nearness = near.get(i).get(candidate);
                boolean isNear = nearness != null;
                if (nearness == null && candidate.isNumber() && sentence.saysToEnter()) {
                    nearness = new Nearness(42, "a word to enter it next to it");
                }
                if (nearness == null && hasLabel) {
                    nearness = around(i, candidate);
                }
                if (nearness == null && numbers.equals(Set.of(candidate.value()))) {
                    nearness = unlabelled(i, sentence);
                }
                if (nearness != null && !sentence.isOffer() && !isOffered(i, candidate, isNear)) {
                    int score = nearness.score() + candidate.shape() + (line.isAlone() ? 10 : 0);
                    String why =
                            nearness.why() + "; " + candidate.what() + (line.isAlone() ? "; alone on its line" : "");
                    codes.add(new Code(candidate.value(), score, why));
                }
            }
        }
        return codes;
    }

    /** The numbers of six digits. */
    private Set<String> numbers() {
        Set<String> numbers = new HashSet<>();
        for (CodeLine line : lines) {
            for (Candidate candidate : line.candidates()) {
                if (candidate.isNumber() && candidate.value().length() == 6 && !line.isOther(candidate)) {
                    numbers.add(candidate.value());
                }
            }
        }
        return numbers;
    }

    /**
     * For the only number of six digits in an e-mail without a label: whether its sentence or the line above says what it is
     * for.
     */
    private @Nullable Nearness unlabelled(int index, CodeSentence sentence) {
        CodeLine line = lines.get(index);
        if (sentence.saysItsTask()) {
            return new Nearness(30, "a purpose next to it");
        }
        CodeLine above = line.isAlone() && index > 0 ? lines.get(index - 1) : null;
        return above != null && above.marks().isEmpty() && (CodeSentence.hasCall(above) || CodeSentence.hasTask(above))
                ? new Nearness(30, "a purpose in the line before it")
                : null;
    }

    /** What a label has as its code, or as a list of codes. */
    private static Map<Candidate, Nearness> claims(CodeLine line, int index) {
        Words.Found mark = line.marks().get(index);
        boolean isSecret = mark.kind().equals("secret");
        String word = '"' + line.folded().substring(mark.start(), mark.end()) + '"';
        List<Integer> after = after(line, index);
        if (!after.isEmpty()) {
            Candidate next = line.candidates().get(after.get(0));
            if (line.joins(mark.end(), next.start()) && isAnnounced(line, mark, next)) {
                return list(line, after.get(0), new Nearness(isSecret ? 45 : 50, word + " before it"));
            }
        }
        Candidate before = before(line, mark);
        String gapBefore = before == null ? "" : line.folded().substring(before.end(), mark.start());
        boolean isSentenceBefore = !CodeSentence.END.matcher(gapBefore).find();
        if (before != null
                && isSentenceBefore
                && gapBefore.length() <= 60
                && CodeLine.beginsWithConnector(gapBefore)
                && !isAfterLabel(line, index, before)) {
            return Map.of(before, new Nearness(isSecret ? 43 : 48, word + " after it"));
        }
        if (isSecret) {
            return Map.of();
        }
        after.removeIf(i -> line.candidates().get(i).isDoubtful());
        for (int i : after) {
            String gap =
                    line.folded().substring(mark.end(), line.candidates().get(i).start());
            if (gap.length() <= 100 && !CodeSentence.END.matcher(gap).find() && endsWithConnector(gap)) {
                return list(line, i, new Nearness(44, word + " before it"));
            }
        }
        String gap = after.isEmpty()
                ? ""
                : line.folded()
                        .substring(
                                mark.end(), line.candidates().get(after.get(0)).start());
        boolean isClose = !after.isEmpty() && gap.length() <= 60;
        if (isClose && !CodeSentence.END.matcher(gap).find()) {
            return list(line, after.get(0), new Nearness(gap.length() <= 30 ? 40 : 34, word + " before it"));
        }
        if (before != null && isSentenceBefore && !before.isDoubtful() && gapBefore.length() <= 40) {
            return Map.of(before, new Nearness(38, word + " after it"));
        }
        return isClose ? list(line, after.get(0), new Nearness(28, word + " in the sentence before it")) : Map.of();
    }

    /** The indexes of the candidates between a label and the next one. */
    private static List<Integer> after(CodeLine line, int index) {
        List<Words.Found> marks = line.marks();
        boolean isFollowed = index + 1 < marks.size() && marks.get(index + 1).isLabel();
        int limit = isFollowed ? marks.get(index + 1).start() : line.folded().length();
        List<Integer> after = new ArrayList<>();
        for (int i = 0; i < line.candidates().size(); i++) {
            Candidate candidate = line.candidates().get(i);
            if (candidate.start() >= marks.get(index).end() && candidate.end() <= limit && isFree(line, candidate)) {
                after.add(i);
            }
        }
        return after;
    }

    /** The last candidate before a label. Skips words in capitals within a sentence. */
    private static @Nullable Candidate before(CodeLine line, Words.Found mark) {
        Candidate before = null;
        for (Candidate candidate : line.candidates()) {
            if (candidate.end() <= mark.start()
                    && (!candidate.isDoubtful() || candidate.start() == 0)
                    && isFree(line, candidate)) {
                before = candidate;
            }
        }
        return before;
    }

    private static boolean isAfterLabel(CodeLine line, int index, Candidate candidate) {
        if (index == 0) {
            return false;
        }
        Words.Found previous = line.marks().get(index - 1);
        return previous.isLabel() && previous.start() >= candidate.end();
    }

    /** Whether a label may have this candidate. */
    private static boolean isFree(CodeLine line, Candidate candidate) {
        return !line.isOther(candidate) || candidate.isYear();
    }

    /** A candidate, and those that follow it as in a list. */
    private static Map<Candidate, Nearness> list(CodeLine line, int first, Nearness nearness) {
        Map<Candidate, Nearness> list = new LinkedHashMap<>();
        list.put(line.candidates().get(first), nearness);
        for (int i = first + 1; i < line.candidates().size(); i++) {
            Candidate candidate = line.candidates().get(i);
            String gap = line.folded().substring(line.candidates().get(i - 1).end(), candidate.start());
            if (!LIST.matcher(gap).matches() || candidate.isDoubtful() || CodeLine.hasMark(gap)) {
                break;
            }
            list.put(candidate, nearness);
        }
        return list;
    }

    /** Whether capitals or lower case, which a word may have too, are said to be the code. */
    private static boolean isAnnounced(CodeLine line, Words.Found mark, Candidate candidate) {
        String gap = line.folded().substring(mark.end(), candidate.start());
        if (!candidate.isDoubtful() || gap.contains(":")) {
            return true;
        }
        boolean closes = WORD_OR_QUOTE.matcher(gap).find()
                && CLOSES.matcher(line.text().substring(candidate.end())).find();
        return OF_A_SENTENCE
                        .matcher(line.text().substring(0, candidate.start()))
                        .find()
                && (closes || new CodeSentence(line, candidate).endOfCall(mark.start()) >= 0);
    }

    private static boolean endsWithConnector(String gap) {
        int end = CodeLine.endOfConnectors(gap);
        return CodeSentence.COLON_AT_END.matcher(gap).find()
                || (end >= 0 && !CONTENT.matcher(gap.substring(end)).find());
    }

    /** Whether the lines around a candidate offer a discount with it. */
    private boolean isOffered(int index, Candidate candidate, boolean isNear) {
        CodeLine line = lines.get(index);
        for (int i = index - 1; !isNear && i >= Math.max(0, index - 3); i--) {
            if (announces.get(i)) {
                line = lines.get(i);
                if (CodeSentence.isOffer(line.folded(), candidate)) {
                    return true;
                }
                break;
            }
        }
        return candidate.isOfAShop()
                && !CodeSentence.hasPurpose(line.folded())
                && (CodeSentence.hasOffer(lines.get(0))
                        || lines.subList(Math.max(0, index - 1), Math.min(lines.size(), index + 2)).stream()
                                .anyMatch(CodeSentence::hasOffer));
    }

    /** For a candidate at the start of a line: the lines around it. */
    private @Nullable Nearness around(int index, Candidate candidate) {
        CodeLine line = lines.get(index);
        boolean isCalled = index > 0 && announces.get(index - 1);
        if (!line.isAlone()) {
            boolean isFirst = !line.hasContent(0, candidate.start()) && !candidate.isDoubtful();
            return isFirst && isCalled && lines.get(index - 1).text().endsWith(":")
                    ? new Nearness(35, "a label in the line before it")
                    : null;
        }
        if (candidate.isDoubtful()) {
            return isCalled && (lines.get(index - 1).endsWithLabel() || CodeSentence.hasCall(lines.get(index - 1)))
                    ? new Nearness(45, "a label in the line before it")
                    : null;
        }
        int distance = 0;
        for (int i = index - 1; i >= 0 && distance < 4; i--) {
            CodeLine other = lines.get(i);
            if (other.isAlone() && !other.hasLabel()) {
                continue;
            }
            distance++;
            if (distance == 1 && other.namesOther()) {
                return null;
            }
            if (announces.get(i)) {
                boolean isCall = distance < 4 && other.text().endsWith(":");
                return new Nearness(isCall ? 45 : 50 - 5 * distance, "a label in a line before it");
            }
        }
        for (int i = index + 1; i <= Math.min(lines.size() - 1, index + 2); i++) {
            if (announces.get(i)) {
                return new Nearness(35 - 5 * (i - index), "a label in a line after it");
            }
        }
        return new Nearness(10, "a label elsewhere");
    }
}
