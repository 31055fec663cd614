package dev.oneshot.message;

import java.util.List;

/** A body in several leaves. */
public final class BodyText {

    private BodyText() {}

    /** Joins the pieces; a piece without a line end gets one. */
    public static String join(List<String> pieces) {
        StringBuilder text = new StringBuilder();
        for (String piece : pieces) {
            if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n' && !piece.isEmpty()) {
                text.append('\n');
            }
            text.append(piece);
        }
        return text.toString();
    }
}
