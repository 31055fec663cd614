package dev.oneshot.message;

/**
 * Decodes UTF-7 (RFC 2152), which the JDK does not know. Malformed octets are taken literally, and lone surrogates
 * become U+FFFD.
 */
final class Utf7 {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private Utf7() {}

    static String decode(byte[] octets, int from, int to) {
        StringBuilder text = new StringBuilder(to - from);
        int at = from;
        while (at < to) {
            char c = (char) (octets[at++] & 0xFF);
            if (c != '+') {
                text.append(c);
            } else if (at < to && octets[at] == '-') {
                text.append('+');
                at++;
            } else if (at == to || ALPHABET.indexOf(octets[at]) < 0) {
                text.append('+');
            } else {
                at = shifted(octets, at, to, text);
            }
        }
        return text.toString();
    }

    /** Decodes a run of modified base64: UTF-16 code units, and padding bits. */
    private static int shifted(byte[] octets, int from, int to, StringBuilder text) {
        int at = from;
        int bits = 0;
        int bitCount = 0;
        while (at < to) {
            int digit = ALPHABET.indexOf(octets[at]);
            if (digit < 0) {
                break;
            }
            bits = bits << 6 | digit;
            bitCount += 6;
            if (bitCount >= 16) {
                bitCount -= 16;
                text.append((char) (bits >> bitCount));
                bits &= (1 << bitCount) - 1;
            }
            at++;
        }
        return at < to && octets[at] == '-' ? at + 1 : at;
    }
}
