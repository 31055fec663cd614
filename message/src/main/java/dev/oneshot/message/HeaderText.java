package dev.oneshot.message;

import java.nio.charset.StandardCharsets;

/** Header text as a person reads it: encoded words (RFC 2047), UTF-8 (RFC 6532) and raw text of older charsets. */
final class HeaderText {

    private HeaderText() {}

    /** Decodes an unfolded value. The result has no control characters, no lone surrogates, no blanks around it. */
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
     * Without what has no place in a line of text: control characters and line ends become blanks, so that no decoded
     * word can forge a line, and halves of surrogate pairs become U+FFFD, so that any encoder takes the result.
     */
    static String clean(String text) {
        StringBuilder clean = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char replacement = c;
            if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                replacement = ' ';
            } else if (Character.isSurrogate(c)) {
                if (Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    i++;
                } else {
                    replacement = '\uFFFD';
                }
            }
            if (replacement != c) {
                if (clean == null) {
                    clean = new StringBuilder(text);
                }
                clean.setCharAt(i, replacement);
            }
        }
        return (clean == null ? text : clean.toString()).strip();
    }
}
