package dev.oneshot.message;

import java.nio.charset.StandardCharsets;

/**
 * Decodes the encoded words of RFC 2047 anywhere in a value. Lines of adjacent words of one charset are joined
 * before decoding, as many programs split characters between words; blanks between such words are dropped.
 */
final class EncodedWords {

    private final byte[] value;
    private final String hint;
    private final StringBuilder text = new StringBuilder();

    /** Decoded octets that are not text yet, and their charset. */
    private final byte[] pending;

    private int pendingLength;
    private String pendingCharset = "";
    private boolean afterWord;

    private Base64Decoder base64 = new Base64Decoder();
    private int wordEnd;

    private EncodedWords(byte[] value, String hint) {
        this.value = value;
        this.hint = hint;
        this.pending = new byte[value.length];
    }

    /** Decodes encoded words, and the rest by {@link Charsets#decodeUnlabelled}. */
    static String decode(byte[] value, String hint) {
        EncodedWords words = new EncodedWords(value, hint);
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

    /** Decodes the word at {@code at} and the literal text before it; false if there is no word. */
    private boolean word(int literal, int at) {
        int charsetEnd = Lines.indexOf((byte) '?', value, at + 2, Math.min(value.length, at + 2 + 80));
        if (charsetEnd <= at + 2 || charsetEnd + 2 >= value.length || value[charsetEnd + 2] != '?') {
            return false;
        }
        int encoding = Lines.lowerCase(value[charsetEnd + 1]);
        int start = charsetEnd + 3;
        int close = close(start);
        if ((encoding != 'q' && encoding != 'b') || close < 0 || !Lines.isAscii(value, at, charsetEnd)) {
            return false;
        }
        if (!(afterWord && Lines.isBlank(value, literal, at))) {
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
                endBase64();
            }
        }
        afterWord = true;
        wordEnd = close + 2;
        return true;
    }

    /** The charset label without the language suffix of RFC 2231 §5. */
    private String charset(int from, int to) {
        int star = Lines.indexOf((byte) '*', value, from, to);
        return new String(value, from, (star < 0 ? to : star) - from, StandardCharsets.US_ASCII);
    }

    /** Where the text of a word ends; -1 if another word begins before, or it does not end. */
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
            int decoded = octet == '=' ? Lines.hexadecimal(value, i + 1, to) : -1;
            if (decoded >= 0) {
                octet = (byte) decoded;
                i += 2;
            } else if (octet == '_') {
                octet = ' ';
            }
            pending[pendingLength++] = octet;
        }
    }

    /** Some programs cut base64 between words anywhere, so only the end of the last word is the end of the data. */
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
            text.append(Charsets.decodeUnlabelled(hint, value, from, to));
        }
    }
}
