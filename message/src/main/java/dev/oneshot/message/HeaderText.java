package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Header text as a person reads it: encoded words (RFC 2047), UTF-8 (RFC 6532) and raw text of older charsets. */
final class HeaderText {

    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\u2028\\u2029]+");

    private HeaderText() {}

    /** Decodes an unfolded value. The result is trimmed and has no control characters and no lone surrogates. */
    static String decode(byte[] value) {
        return decode(value, "");
    }

    /**
     * As {@link #decode(byte[])}.
     *
     * @param hint the charset label of raw 8-bit text that is not UTF-8; empty if it is not known
     */
    static String decode(byte[] value, String hint) {
        boolean plain = true;
        for (int i = 0; i < value.length && plain; i++) {
            plain = value[i] >= ' '
                    && value[i] != 0x7F
                    && (value[i] != '=' || i + 1 == value.length || value[i + 1] != '?');
        }
        if (plain) {
            return new String(value, StandardCharsets.ISO_8859_1).strip();
        }
        return clean(EncodedWords.decode(value, hint));
    }

    /** Replaces runs of control characters and line ends by one blank, so that no decoded word can forge a line. */
    static String clean(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                return CONTROLS.matcher(text).replaceAll(" ").strip();
            }
        }
        return text.strip();
    }
}
