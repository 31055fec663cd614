package dev.oneshot.client;

import dev.oneshot.client.CodeLine.Candidate;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sentence of a candidate: whether it says to enter this number, or offers a discount with it. */
final class CodeSentence {

    static final Pattern COLON_AT_END = Pattern.compile("[:=] ?[\"'(\\[*]*$");

    static final Pattern END = Pattern.compile("[.!?。؟।](?: |$)");

    private static final Words ENTER = new Words("enter", "use");
    private static final Words ENTERED = new Words("entered", "used");
    private static final Words AT = new Words("at");
    private static final Words WITH = new Words("with");
    private static final Words PURPOSE = new Words("confirm", "signin");
    private static final Words TASK = new Words("task");
    private static final Words TASK_OR_CONFIRM = new Words("task", "confirm");
    private static final Words OFFER = new Words("offer");

    private final CodeLine line;
    private final Candidate candidate;
    private final int start;
    private final int end;

    CodeSentence(CodeLine line, Candidate candidate) {
        this.line = line;
        this.candidate = candidate;
        int from = 0;
        int to = line.folded().length();
        Matcher mark = END.matcher(line.folded());
        while (to == line.folded().length() && mark.find()) {
            if (mark.end() <= candidate.start()) {
                from = mark.end();
            } else if (mark.start() >= candidate.end()) {
                to = mark.start();
            }
        }
        start = from;
        end = to;
    }

    boolean saysToEnter() {
        String folded = line.folded();
        Words.Found entered = ENTERED.at(folded, following());
        if (entered != null) {
            return entered.kind().equals("entered") || hasPurpose(folded.substring(start, end));
        }
        int from = endOfCall(candidate.start());
        return from >= 0
                && !folded.substring(from, candidate.start()).contains(":")
                && line.joins(from, candidate.start());
    }

    /**
     * The end of the last word before {@code limit} that says to enter or use the candidate. -1 without such a word, or if
     * anything but a place or a purpose follows the candidate in its clause.
     */
    int endOfCall(int limit) {
        String folded = line.folded();
        List<Words.Found> calls = ENTER.in(folded.substring(start, Math.max(start, limit)));
        if (calls.isEmpty()) {
            return -1;
        }
        Words.Found call = calls.get(calls.size() - 1);
        int next = following();
        boolean isAimed = AT.at(folded, next) != null;
        boolean isLast = next == end || isClauseEnd(next);
        if (call.kind().equals("use")) {
            boolean hasPurpose = hasPurpose(folded.substring(start, candidate.start()));
            isAimed &= hasPurpose || hasPurpose(folded.substring(next, end));
            isLast &= hasPurpose;
        }
        return isAimed || isLast ? start + call.end() : -1;
    }

    /** Whether it says, without a label, what the candidate is for. */
    boolean saysItsTask() {
        String folded = line.folded();
        String before = folded.substring(start, candidate.start());
        int next = following();
        String after = folded.substring(next, end);
        boolean isLast = next == end || isClauseEnd(next);
        if (COLON_AT_END.matcher(before).find()) {
            boolean isNamed = line.marks().stream().anyMatch(mark -> mark.end() <= candidate.start());
            return isLast && !isNamed && (TASK.has(before) || ENTER.has(before));
        }
        boolean isAimed = AT.at(folded, next) != null;
        if (!line.hasContent(start, candidate.start())) {
            return isAimed && TASK_OR_CONFIRM.has(after);
        }
        List<Words.Found> words = WITH.in(before);
        if (words.isEmpty() || !line.joins(start + words.get(words.size() - 1).end(), candidate.start())) {
            return false;
        }
        boolean isClosed = isLast || isAimed || TASK_OR_CONFIRM.at(folded, next) != null;
        return isClosed && (TASK_OR_CONFIRM.has(before) || TASK_OR_CONFIRM.has(after));
    }

    /** The index of the next word, or of the end of the clause. */
    private int following() {
        int next = candidate.end();
        while (next < end && !line.hasContent(next, next + 1) && !isClauseEnd(next)) {
            next++;
        }
        return next;
    }

    /** Whether a line says to enter or use something. */
    static boolean hasCall(CodeLine line) {
        return ENTER.has(line.folded());
    }

    static boolean hasTask(CodeLine line) {
        return TASK.has(line.folded());
    }

    private boolean isClauseEnd(int index) {
        return ",;".indexOf(line.folded().charAt(index)) >= 0;
    }

    boolean isOffer() {
        return isOffer(line.folded().substring(start, end), candidate);
    }

    /** Whether a text offers a discount with a candidate in it, or below it. */
    static boolean isOffer(String folded, Candidate candidate) {
        return OFFER.has(folded) && (candidate.isOfAShop() || !hasPurpose(folded));
    }

    static boolean hasOffer(CodeLine line) {
        return OFFER.has(line.folded());
    }

    /** Whether a text names what a code is for: to confirm, or to sign in. */
    static boolean hasPurpose(String folded) {
        return PURPOSE.has(folded);
    }
}
