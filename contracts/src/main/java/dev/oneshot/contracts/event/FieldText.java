package dev.oneshot.contracts.event;

import java.util.Objects;
import java.util.regex.Pattern;

/** Text that may stand in a header field. */
public final class FieldText {

    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]");

    private FieldText() {}

    /** @throws IllegalArgumentException if there is a control character or an unpaired surrogate, or the length is wrong */
    static void require(String name, String text, int charactersMin, int charactersMax) {
        Objects.requireNonNull(text, name);
        int characters = text.codePointCount(0, text.length());
        if (characters < charactersMin || characters > charactersMax) {
            throw new IllegalArgumentException(name + " must have between " + charactersMin + " and " + charactersMax
                    + " characters, not " + characters);
        }
        if (!isSafe(text)) {
            throw new IllegalArgumentException(name + " has a control character");
        }
    }

    /** Whether a text has no control characters, unpaired surrogates, or separators of lines and paragraphs. */
    public static boolean isSafe(String text) {
        return !UNSAFE.matcher(text).find();
    }
}
