package dev.oneshot.message;

import java.util.List;

/** A body that lies in several leaves. */
public final class BodyText {

    private BodyText() {}

    /** The pieces one after the other, each on a line of its own: a line end is added after a piece that lacks one. */
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
