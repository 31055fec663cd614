package dev.oneshot.message;

import java.nio.charset.StandardCharsets;

/** Header text as a person reads it: encoded words (RFC 2047), UTF-8 (RFC 6532) and raw text of older charsets. */
final class HeaderText {

    private HeaderText() {}

    /** Decodes an unfolded value. The result is trimmed and has no control characters and no lone surrogates. */
    static String decode(byte[] value) {
        boolean plain = true;
        for (int i = 0; i < value.length && plain; i++) {
            plain = value[i] >= ' '
                    && value[i] != 0x7F
                    && (value[i] != '=' || i + 1 == value.length || value[i + 1] != '?');
        }
        if (plain) {
            return new String(value, StandardCharsets.ISO_8859_1).strip();
        }
        return clean(EncodedWords.decode(value));
    }

    /**
     * Replaces runs of control characters and line ends by one blank, so that no decoded word can forge a line, and
     * lone surrogates by U+FFFD, so that any encoder accepts the result.
     */
    static String clean(String text) {
        if (text.chars().noneMatch(c -> isControl(c) || Character.isSurrogate((char) c))) {
            return text.strip();
        }
        StringBuilder clean = new StringBuilder(text.length());
        int at = 0;
        boolean afterControl = false;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            boolean control = isControl(point);
            if (!control) {
                boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
                clean.appendCodePoint(half ? '\uFFFD' : point);
            } else if (!afterControl) {
                clean.append(' ');
            }
            afterControl = control;
            at += Character.charCount(point);
        }
        return clean.toString().strip();
    }

    private static boolean isControl(int point) {
        return Character.isISOControl(point) || point == '\u2028' || point == '\u2029';
    }
}
