package dev.oneshot.mailer.compose;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** Unstructured text in a header field: literal if possible, else in encoded words (RFC 2047 §2, §5). */
final class UnstructuredField {

    private static final String BEGIN = "=?utf-8?B?";
    private static final String END = "?=";
    /** A line with an encoded word in it has at most 76 characters (RFC 2047 §2). */
    private static final int LINE_CHARACTERS = 76;

    /** Words of visible ASCII that fit into a line, without a blank before or after them. */
    private static final Pattern PLAIN = Pattern.compile("[!-~]{1,900}+( ++[!-~]{1,900}+)*+");

    private UnstructuredField() {}

    /** The field {@code name: text}, folded to lines of 76 characters if the text allows it. */
    static String of(String name, String text) {
        if (text.isEmpty()) {
            return name + ":";
        }
        return name + ": " + (isPlain(text) ? folded(text, name.length() + 2) : encoded(text, name.length() + 2));
    }

    private static boolean isPlain(String text) {
        return !text.contains("=?") && PLAIN.matcher(text).matches();
    }

    /** Breaks lines before a single space, which unfolding keeps. */
    private static String folded(String text, int column) {
        StringBuilder folded = new StringBuilder(text.length() + 16);
        int used = column;
        for (String piece : text.split("(?<! )(?= )", -1)) {
            if (!folded.isEmpty() && used + piece.length() > LINE_CHARACTERS) {
                folded.append("\r\n");
                used = 0;
            }
            folded.append(piece);
            used += piece.length();
        }
        return folded.toString();
    }

    /** One word a line; no character is split. */
    private static String encoded(String text, int column) {
        StringBuilder words = new StringBuilder(text.length() * 2);
        StringBuilder word = new StringBuilder();
        int octets = 0;
        int octetsMax = wordOctetsMax(column);
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            String character = Character.toString(text.codePointAt(i));
            int characterOctets = character.getBytes(StandardCharsets.UTF_8).length;
            if (octets + characterOctets > octetsMax) {
                append(words, word);
                octets = 0;
                // Continuation lines begin with a space.
                octetsMax = wordOctetsMax(1);
            }
            word.append(character);
            octets += characterOctets;
        }
        append(words, word);
        return words.toString();
    }

    /** In base64, three bytes become four characters. */
    private static int wordOctetsMax(int column) {
        return (LINE_CHARACTERS - column - BEGIN.length() - END.length()) / 4 * 3;
    }

    private static void append(StringBuilder words, StringBuilder word) {
        if (!words.isEmpty()) {
            words.append("\r\n ");
        }
        words.append(BEGIN)
                .append(Base64.getEncoder().encodeToString(word.toString().getBytes(StandardCharsets.UTF_8)))
                .append(END);
        word.setLength(0);
    }
}
