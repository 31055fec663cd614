package dev.oneshot.message;

import java.util.Arrays;

/**
 * RFC 2045 §6.8: what is not in the alphabet is skipped, missing padding is supplied, and padding that completes a
 * group ends the data, as that section concludes (what comes after it is usually a footer some list added).
 */
final class Base64Decoder implements OctetDecoder {

    private static final byte SKIP = -1;
    private static final byte PAD = -2;
    private static final byte[] DIGITS = digits();

    private int bits;
    private int digitCount;
    private int pads;
    private boolean ended;

    private static byte[] digits() {
        byte[] digits = new byte[256];
        Arrays.fill(digits, SKIP);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            digits[alphabet.charAt(i)] = (byte) i;
        }
        digits['='] = PAD;
        return digits;
    }

    /** Decodes one whole value. @return how many octets were written, at most as many as were read */
    static int decodeAll(byte[] in, int from, int to, byte[] out, int at) {
        Base64Decoder decoder = new Base64Decoder();
        int length = decoder.decode(in, from, to, out, at);
        return length + decoder.finish(out, at + length);
    }

    @Override
    public int decode(byte[] in, int from, int to, byte[] out, int at) {
        int written = at;
        for (int i = from; i < to && !ended; i++) {
            int digit = DIGITS[in[i] & 0xFF];
            if (digit >= 0) {
                pads = 0;
                bits = bits << 6 | digit;
                if (++digitCount == 4) {
                    out[written++] = (byte) (bits >> 16);
                    out[written++] = (byte) (bits >> 8);
                    out[written++] = (byte) bits;
                    digitCount = 0;
                    bits = 0;
                }
            } else if (digit == PAD && digitCount >= 2 && digitCount + ++pads == 4) {
                written += finish(out, written);
                ended = true;
            }
        }
        return written - at;
    }

    @Override
    public int finish(byte[] out, int at) {
        int written = at;
        if (digitCount == 2) {
            out[written++] = (byte) (bits >> 4);
        } else if (digitCount == 3) {
            out[written++] = (byte) (bits >> 10);
            out[written++] = (byte) (bits >> 2);
        }
        digitCount = 0;
        return written - at;
    }
}
