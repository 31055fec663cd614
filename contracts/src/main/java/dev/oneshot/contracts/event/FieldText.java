package dev.oneshot.contracts.event;

import java.util.Objects;

/** Text that may stand in a header field. */
final class FieldText {

    private FieldText() {}

    /** @throws IllegalArgumentException if there is a control character or an unpaired surrogate, or the length is wrong */
    static void require(String name, String text, int charactersMin, int charactersMax) {
        Objects.requireNonNull(text, name);
        int characters = text.codePointCount(0, text.length());
        if (characters < charactersMin || characters > charactersMax) {
            throw new IllegalArgumentException(name + " must have between " + charactersMin + " and " + charactersMax
                    + " characters, not " + characters);
        }
        boolean safe = text.codePoints()
                .noneMatch(character -> Character.isISOControl(character)
                        || Character.getType(character) == Character.SURROGATE
                        || Character.getType(character) == Character.LINE_SEPARATOR
                        || Character.getType(character) == Character.PARAGRAPH_SEPARATOR);
        if (!safe) {
            throw new IllegalArgumentException(name + " has a control character");
        }
    }
}
