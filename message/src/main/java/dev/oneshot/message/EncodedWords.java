package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Decodes the encoded words of RFC 2047 in a value, wherever they stand. Neighbours of one charset are joined as octets
 * before decoding, as many programs split characters between words; blanks between neighbours are no text.
 */
final class EncodedWords {

    private final byte[] value;
    private final StringBuilder text = new StringBuilder();

    /** Octets of the words decoded so far that are not text yet, and their charset. */
    private final byte[] pending;

    private int pendingLength;
    private String pendingCharset = "";
    private boolean afterWord;

    private Base64Decoder base64 = new Base64Decoder();
    private int wordEnd;

    private EncodedWords(byte[] value) {
        this.value = value;
        this.pending = new byte[value.length];
    }

    /** The value with its encoded words decoded and the rest as UTF-8, or as windows-1252 where it is not that. */
    static String decode(byte[] value) {
        EncodedWords words = new EncodedWords(value);
        words.decode();
        return words.text.toString();
    }

    private void decode() {
        int literal = 0;
        int at = 0;
        while (at + 1 < value.length) {
            if (value[at] == '=' && value[at + 1] == '?' && word(literal, at)) {
                at = wordEnd;
                literal = at;
            } else {
                at++;
            }
        }
        literal(literal, value.length);
    }

    /** Takes the word at {@code at}, with the literal text before it, if it is one. */
    private boolean word(int literal, int at) {
        int charsetEnd = Octets.indexOf((byte) '?', value, at + 2, Math.min(value.length, at + 2 + 80));
        if (charsetEnd <= at + 2 || charsetEnd + 2 >= value.length || value[charsetEnd + 2] != '?') {
            return false;
        }
        int encoding = Octets.lowerCase(value[charsetEnd + 1]);
        int start = charsetEnd + 3;
        int close = close(start);
        if ((encoding != 'q' && encoding != 'b') || close < 0 || !Octets.isAscii(value, at, charsetEnd)) {
            return false;
        }
        if (!(afterWord && Octets.isBlank(value, literal, at))) {
            literal(literal, at);
        }
        String charset = charset(at + 2, charsetEnd);
        if (!charset.equalsIgnoreCase(pendingCharset)) {
            flush();
        }
        pendingCharset = charset;
        if (encoding == 'q') {
            endBase64();
            quoted(start, close);
        } else {
            pendingLength += base64.decode(value, start, close, pending, pendingLength);
            if (base64.isBetweenGroups()) {
                base64 = new Base64Decoder();
            }
        }
        afterWord = true;
        wordEnd = close + 2;
        return true;
    }

    /** The charset label without the language that RFC 2231 §5 allows after it. */
    private String charset(int from, int to) {
        int star = Octets.indexOf((byte) '*', value, from, to);
        return new String(value, from, (star < 0 ? to : star) - from, StandardCharsets.US_ASCII);
    }

    /** Where the text of a word ends; -1 if the word does not end before another one begins, or at all. */
    private int close(int from) {
        for (int i = from; i + 1 < value.length; i++) {
            if (value[i] == '?' && value[i + 1] == '=') {
                return i;
            }
            boolean begins = value[i] == '=' && value[i + 1] == '?';
            if (begins && (i + 2 == value.length || value[i + 2] != '=')) {
                return -1;
            }
        }
        return -1;
    }

    private void quoted(int from, int to) {
        for (int i = from; i < to; i++) {
            byte octet = value[i];
            int high = octet == '=' && i + 2 < to ? Character.digit(value[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(value[i + 2], 16);
            if (low >= 0) {
                octet = (byte) (high << 4 | low);
                i += 2;
            } else if (octet == '_') {
                octet = ' ';
            }
            pending[pendingLength++] = octet;
        }
    }

    /** Some programs cut base64 between words anywhere, so that only the last word's rest is the end of the data. */
    private void endBase64() {
        pendingLength += base64.finish(pending, pendingLength);
        base64 = new Base64Decoder();
    }

    private void flush() {
        endBase64();
        text.append(Charsets.decode(pendingCharset, pending, 0, pendingLength));
        pendingLength = 0;
    }

    private void literal(int from, int to) {
        flush();
        afterWord = false;
        if (from < to) {
            byte[] octets = Arrays.copyOfRange(value, from, to);
            text.append(Charsets.decode("", octets, 0, octets.length));
        }
    }
}
