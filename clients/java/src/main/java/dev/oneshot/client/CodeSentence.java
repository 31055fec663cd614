package dev.oneshot.client;

import dev.oneshot.client.CodeLine.Candidate;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sentence of a candidate: whether it says to enter this number, or offers a discount with it. */
final class CodeSentence {

    static final Pattern END = Pattern.compile("[.!?。؟।](?: |$)");

    private static final Words ENTER = new Words("enter", "use");
    private static final Words ENTERED = new Words("entered");
    private static final Words AT = new Words("at");
    private static final Words PURPOSE = new Words("confirm", "signin");
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
        int next = candidate.end();
        while (next < end && !line.hasContent(next, next + 1) && !isClauseEnd(next)) {
            next++;
        }
        if (ENTERED.at(folded, next) != null) {
            return true;
        }
        List<Words.Found> calls = ENTER.in(folded.substring(start, candidate.start()));
        if (calls.isEmpty()) {
            return false;
        }
        Words.Found call = calls.get(calls.size() - 1);
        int from = start + call.end();
        if (folded.substring(from, candidate.start()).contains(":") || !line.joins(from, candidate.start())) {
            return false;
        }
        boolean isAimed = AT.at(folded, next) != null;
        return call.kind().equals("use")
                ? isAimed && PURPOSE.has(folded.substring(next, end))
                : isAimed || next == end || isClauseEnd(next);
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
