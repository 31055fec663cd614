package dev.oneshot.message;

import java.util.Arrays;

/**
 * Decodes uuencode (POSIX): lines between {@code begin} and {@code end}, each starting with its length. Lines that
 * are too short, as mail programs trim blanks, are padded up to a bound: otherwise lines of one character could make
 * a file of a gigabyte.
 */
final class UuDecoder implements OctetDecoder {

    /** The most octets of padding in all. */
    static final int FILL_MAX = 64 * 1024;

    private static final byte[] BEGIN = {'b', 'e', 'g', 'i', 'n', ' '};
    private static final int LINE_MAX = 96;
    // The shortest line is a length of one character (six bits) and its line feed.
    private static final int LINE_OUTPUT_MAX = 63;
    private static final int LINE_MIN = 2;

    private final byte[] line = new byte[LINE_MAX];
    private int lineLength;
    private int filled;
    private boolean begun;
    private boolean ended;

    /** Whether there is a {@code begin} line; nothing is decoded without one. */
    static boolean hasBegin(byte[] octets, int from, int to) {
        int at = from;
        while (at < to) {
            if (isBegin(octets, at, to)) {
                return true;
            }
            int feed = Lines.indexOf((byte) '\n', octets, at, to);
            at = feed < 0 ? to : feed + 1;
        }
        return false;
    }

    private static boolean isBegin(byte[] octets, int from, int to) {
        return to - from >= 10
                && Arrays.equals(octets, from, from + BEGIN.length, BEGIN, 0, BEGIN.length)
                && Character.digit(octets[from + 6], 8) >= 0
                && Character.digit(octets[from + 7], 8) >= 0
                && Character.digit(octets[from + 8], 8) >= 0;
    }

    @Override
    public int decode(byte[] in, int from, int to, byte[] out, int at) {
        int written = at;
        for (int i = from; i < to && !ended; i++) {
            if (in[i] == '\n') {
                written += line(out, written);
                lineLength = 0;
            } else if (lineLength < LINE_MAX) {
                line[lineLength++] = in[i];
            }
        }
        return written - at;
    }

    @Override
    public int outputMax(int octets) {
        return Math.min((octets / LINE_MIN + 1) * LINE_OUTPUT_MAX, octets + FILL_MAX) + HELD_MAX;
    }

    @Override
    public int finish(byte[] out, int at) {
        int written = ended || lineLength == 0 ? 0 : line(out, at);
        ended = true;
        return written;
    }

    private int line(byte[] out, int at) {
        int length = lineLength;
        while (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        if (!begun) {
            begun = isBegin(line, 0, length);
            return 0;
        }
        if (length == 0) {
            return 0;
        }
        int octets = (line[0] - ' ') & 0x3F;
        if (octets == 0 || (length == 3 && line[0] == 'e' && line[1] == 'n' && line[2] == 'd')) {
            ended = true;
            return 0;
        }
        int present = (length - 1) * 3 / 4;
        if (octets > present) {
            int fill = Math.min(octets - present, FILL_MAX - filled);
            filled += fill;
            octets = present + fill;
        }
        for (int i = 0; i < octets; i++) {
            int group = 1 + i / 3 * 4;
            int first = digit(group + i % 3, length);
            int second = digit(group + i % 3 + 1, length);
            out[at + i] = (byte)
                    switch (i % 3) {
                        case 0 -> first << 2 | second >> 4;
                        case 1 -> first << 4 | second >> 2;
                        default -> first << 6 | second;
                    };
        }
        return octets;
    }

    private int digit(int at, int length) {
        return at < length ? (line[at] - ' ') & 0x3F : 0;
    }
}
