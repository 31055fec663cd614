package dev.oneshot.message;

import java.nio.ByteBuffer;

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
        int end = from;
        while (end < to && ALPHABET.indexOf(octets[end]) >= 0) {
            end++;
        }
        Base64Decoder base64 = new Base64Decoder();
        byte[] units = new byte[base64.outputMax(end - from)];
        int length = base64.decode(octets, from, end, units, 0);
        length += base64.finish(units, length);
        text.append(ByteBuffer.wrap(units, 0, length & ~1).asCharBuffer());
        return end < to && octets[end] == '-' ? end + 1 : end;
    }
}
