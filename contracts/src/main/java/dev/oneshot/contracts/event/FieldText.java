package dev.oneshot.contracts.event;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** Text that may stand in a header field. */
public final class FieldText {

    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]");

    private FieldText() {}

    /** @throws IllegalArgumentException if the text has a {@link #fault} */
    static void require(String name, String text, int charactersMin, int charactersMax) {
        fault(Objects.requireNonNull(text, name), charactersMin, charactersMax).ifPresent(fault -> {
            throw new IllegalArgumentException(name + " " + fault);
        });
    }

    /**
     * What is wrong with a text, as the rest of a sentence about it: its length in Unicode characters, a control character, an
     * unpaired surrogate, or a separator of lines or paragraphs.
     */
    public static Optional<String> fault(String text, int charactersMin, int charactersMax) {
        int characters = text.codePointCount(0, text.length());
        if (characters < charactersMin || characters > charactersMax) {
            return Optional.of("must have between " + charactersMin + " and " + charactersMax + " characters");
        }
        return UNSAFE.matcher(text).find()
                ? Optional.of("must not have control characters or line breaks")
                : Optional.empty();
    }
}
