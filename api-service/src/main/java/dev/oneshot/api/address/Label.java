package dev.oneshot.api.address;

import dev.oneshot.api.error.ApiException;

/** A label: 1 to 255 Unicode characters, none of them a control character. */
public record Label(String text) {

    private static final int CHARACTERS_MAX = 255;

    public Label {
        int characters = text.codePointCount(0, text.length());
        if (characters < 1 || characters > CHARACTERS_MAX) {
            throw ApiException.invalid("label must have between 1 and " + CHARACTERS_MAX + " characters");
        }
        if (text.codePoints().anyMatch(c -> Character.getType(c) == Character.CONTROL)) {
            throw ApiException.invalid("label must not have control characters");
        }
    }
}
