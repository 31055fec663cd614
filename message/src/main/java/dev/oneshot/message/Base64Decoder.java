package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * RFC 2045 §6.8, read leniently: other characters are skipped, and missing padding is supplied. Padding that
 * completes a group, or an empty line between groups, ends the data, unless a line of base64 follows: some programs encode
 * a body in pieces. A footer added by a mailing list often follows too, and is not read.
 */
final class Base64Decoder implements OctetDecoder {

    private static final byte SKIP = -1;
    private static final byte PAD = -2;
    private static final byte[] DIGITS = digits();

    /** The most octets of a line that decide whether it is base64. */
    private static final int LINE_OCTETS_MAX = 1_000;

    /** The lines of a block, all of one length. The JDK decodes it with vector instructions, but takes whole arrays only. */
    private static final int BLOCK_LINES = 8;

    /** The words of text are shorter. */
    private static final int WORD_OCTETS_MAX = 40;

    private static final String DIGIT = "[A-Za-z0-9+/]";
    private static final Pattern GROUPS =
            Pattern.compile("(?:" + DIGIT + "{4}|" + DIGIT + "{3}=|" + DIGIT + "{2}==)++");
    private static final Pattern WORD = Pattern.compile("[A-Z]?+[a-z]++|[A-Z]++|[0-9]++|[+/]++");

    private int bits;
    private int digitCount;
    private int pads;
    /** Whether there was a digit. */
    private boolean decoded;
    /** Whether padding or an empty line followed the last group, and no digit. */
    private boolean mayEnd;
    /** Whether this line has had no characters but blanks, and digits have preceded it. */
    private boolean emptyLine;
    /** Whether this line follows a possible end, and is base64. */
    private boolean continued;
    /** The begin of a line after a possible end. */
    private byte[] held = {};

    private int heldLength;
    private boolean ended;

    /** The length of the groups of digits at the start of the last line, in characters. */
    private int lineDigits;

    private byte[] block = {};
    private byte[] decodedBlock = {};
    /** Whether a block had characters other than digits. Then no further block is tried, as that would not pay. */
    private boolean irregular;

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
        int octets = 0;
        int digits = 0;
        int pads = 0;
        boolean mayEnd = false;
        boolean emptyLine = false;
        boolean continued = false;
        for (int i = from; i < to; i++) {
            int digit = DIGITS[in[i] & 0xFF];
            if (mayEnd && !continued && !isBetween(in[i])) {
                if (!isBase64(in, i, to)) {
                    break;
                }
                continued = true;
            }
            if (digit >= 0) {
                digits++;
                pads = 0;
                mayEnd = false;
                emptyLine = false;
            } else if (digit == PAD && digits % 4 >= 2 && digits % 4 + ++pads == 4) {
                octets += octets(digits);
                digits = 0;
                mayEnd = true;
            } else if (in[i] == '\n') {
                continued = false;
                mayEnd |= emptyLine && digits % 4 == 0;
                emptyLine = digits > 0 || octets > 0;
            } else {
                emptyLine &= isBetween(in[i]);
            }
        }
        return octets + octets(digits);
    }

    /** The digits of an incomplete group yield whole octets only. */
    private static int octets(int digits) {
        return digits / 4 * 3 + digits % 4 * 3 / 4;
    }

    /** Whether the octet may be between a group and the next line of digits. */
    private static boolean isBetween(byte octet) {
        return octet == '\n' || octet == '\r' || octet == '=' || Lines.isBlank(octet);
    }

    /** Whether the line that begins here is base64. A short line must have whole groups, and be no word. */
    private static boolean isBase64(byte[] in, int from, int to) {
        int end = Math.min(to, from + LINE_OCTETS_MAX);
        int stop = from;
        while (stop < end && DIGITS[in[stop] & 0xFF] != SKIP) {
            stop++;
        }
        int rest = stop;
        while (rest < end && (in[rest] == '\r' || Lines.isBlank(in[rest]))) {
            rest++;
        }
        if (rest < end && in[rest] != '\n') {
            return false;
        }
        if (stop - from > WORD_OCTETS_MAX) {
            return true;
        }
        String line = new String(in, from, stop - from, StandardCharsets.ISO_8859_1);
        return GROUPS.matcher(line).matches() && !WORD.matcher(line).matches();
    }

    @Override
    public int decode(byte[] in, int from, int to, byte[] out, int at) {
        int written = at;
        int i = from;
        while (i < to && !ended) {
            if (mayEnd && !continued) {
                i = hold(in, i, to);
                if (heldLength == LINE_OCTETS_MAX || (i < to && !ended)) {
                    written += decodeHeld(out, written);
                }
                continue;
            }
            if (digitCount == 0) {
                boolean lineBegins = i > from && in[i - 1] == '\n';
                while (lineBegins && isBlock(in, i, to) && decodeBlock(in, i, out, written)) {
                    i += BLOCK_LINES * (lineDigits + 2);
                    written += decodedBlock.length;
                }
                int groups = groups(in, i, to, out, written);
                if (lineBegins) {
                    lineDigits = groups * 4;
                }
                i += groups * 4;
                written += groups * 3;
                decoded |= groups > 0;
                mayEnd &= groups == 0;
                emptyLine &= groups == 0;
                if (i == to) {
                    break;
                }
            }
            written += decode(in[i++], out, written);
        }
        return written - at;
    }

    private int decode(byte octet, byte[] out, int at) {
        int digit = DIGITS[octet & 0xFF];
        if (digit >= 0) {
            pads = 0;
            decoded = true;
            mayEnd = false;
            emptyLine = false;
            bits = bits << 6 | digit;
            if (++digitCount == 4) {
                out[at] = (byte) (bits >> 16);
                out[at + 1] = (byte) (bits >> 8);
                out[at + 2] = (byte) bits;
                digitCount = 0;
                return 3;
            }
        } else if (digit == PAD && digitCount >= 2 && digitCount + ++pads == 4) {
            mayEnd = true;
            return finishGroup(out, at);
        } else if (octet == '\n') {
            continued = false;
            mayEnd |= emptyLine && digitCount == 0;
            emptyLine = decoded;
        } else {
            emptyLine &= isBetween(octet);
        }
        return 0;
    }

    /** Whether a block begins here: lines as long as the last one. */
    private boolean isBlock(byte[] in, int from, int to) {
        int lineOctets = lineDigits + 2;
        if (lineDigits == 0 || irregular || to - from < BLOCK_LINES * lineOctets) {
            return false;
        }
        for (int end = from + lineOctets; end <= from + BLOCK_LINES * lineOctets; end += lineOctets) {
            if (in[end - 2] != '\r' || in[end - 1] != '\n') {
                return false;
            }
        }
        return true;
    }

    /** Decodes a block. Returns false, and decodes nothing, if it has characters other than digits. */
    private boolean decodeBlock(byte[] in, int from, byte[] out, int at) {
        if (block.length != BLOCK_LINES * lineDigits) {
            block = new byte[BLOCK_LINES * lineDigits];
            decodedBlock = new byte[block.length / 4 * 3];
        }
        for (int line = 0; line < BLOCK_LINES; line++) {
            System.arraycopy(in, from + line * (lineDigits + 2), block, line * lineDigits, lineDigits);
        }
        try {
            irregular = Base64.getDecoder().decode(block, decodedBlock) != decodedBlock.length;
        } catch (IllegalArgumentException e) {
            irregular = true;
        }
        if (!irregular) {
            System.arraycopy(decodedBlock, 0, out, at, decodedBlock.length);
            mayEnd = false;
            continued = false;
            emptyLine = true;
        }
        return !irregular;
    }

    /** Holds back the line after a possible end up to its end, and returns where that is, or where no more fits. */
    private int hold(byte[] in, int from, int to) {
        int i = from;
        while (i < to && heldLength == 0 && isBetween(in[i])) {
            i++;
        }
        if (i < to && held.length == 0) {
            held = new byte[LINE_OCTETS_MAX];
        }
        while (i < to && heldLength < LINE_OCTETS_MAX && in[i] != '\n' && !ended) {
            ended = DIGITS[in[i] & 0xFF] == SKIP && in[i] != '\r' && !Lines.isBlank(in[i]);
            held[heldLength++] = in[i++];
        }
        return i;
    }

    private int decodeHeld(byte[] out, int at) {
        int length = heldLength;
        heldLength = 0;
        continued = !ended && length > 0 && isBase64(held, 0, length);
        ended = !continued;
        return continued ? decode(held, 0, length, out, at) : 0;
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

    /** Whether the next digit begins a group, or padding ended the last one. */
    boolean isBetweenGroups() {
        return digitCount == 0;
    }

    @Override
    public int finish(byte[] out, int at) {
        int written = at;
        if (heldLength > 0) {
            written += decodeHeld(out, written);
        }
        written += finishGroup(out, written);
        return written - at;
    }

    private int finishGroup(byte[] out, int at) {
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
