package dev.oneshot.message;

import java.util.Arrays;

/**
 * RFC 2045 §6.8, read leniently: other characters are skipped, and missing padding is supplied. Padding that
 * completes a group ends the data; a footer added by a mailing list often follows.
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

    /** The decoded length of a whole slice, in half the time that decoding takes. */
    static int decodedLength(byte[] in, int from, int to) {
        int digits = 0;
        int pads = 0;
        for (int i = from; i < to; i++) {
            int digit = DIGITS[in[i] & 0xFF];
            if (digit >= 0) {
                digits++;
                pads = 0;
            } else if (digit == PAD && digits % 4 >= 2 && digits % 4 + ++pads == 4) {
                break;
            }
        }
        // The digits of an incomplete group yield whole octets only.
        return digits / 4 * 3 + digits % 4 * 3 / 4;
    }

    @Override
    public int decode(byte[] in, int from, int to, byte[] out, int at) {
        int written = at;
        int i = from;
        while (i < to && !ended) {
            if (digitCount == 0) {
                int groups = groups(in, i, to, out, written);
                i += groups * 4;
                written += groups * 3;
                if (i == to) {
                    break;
                }
            }
            int digit = DIGITS[in[i++] & 0xFF];
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

    /** Decodes groups of four digits up to another character, and returns how many. */
    private static int groups(byte[] in, int from, int to, byte[] out, int at) {
        int i = from;
        int written = at;
        while (i + 4 <= to) {
            int a = DIGITS[in[i] & 0xFF];
            int b = DIGITS[in[i + 1] & 0xFF];
            int c = DIGITS[in[i + 2] & 0xFF];
            int d = DIGITS[in[i + 3] & 0xFF];
            if ((a | b | c | d) < 0) {
                break;
            }
            int group = a << 18 | b << 12 | c << 6 | d;
            out[written] = (byte) (group >> 16);
            out[written + 1] = (byte) (group >> 8);
            out[written + 2] = (byte) group;
            written += 3;
            i += 4;
        }
        return (i - from) / 4;
    }

    /** Whether the next digit begins a group: none is held back, or padding ended the data. */
    boolean isBetweenGroups() {
        return ended || digitCount == 0;
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
