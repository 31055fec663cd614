package dev.oneshot.message;

import java.util.Arrays;

/**
 * Finds the next delimiter line of the current and all enclosing multiparts (RFC 2046 §5.1.1); an enclosing
 * multipart's delimiter ends the inner ones too.
 *
 * <p>A delimiter is two hyphens at the start of a line, the whole boundary, two hyphens more for the last one, then
 * the line end or a blank. Text after a blank is ignored. Any other line is content, so one boundary may be a prefix
 * of another.
 */
final class Boundaries {

    /** How far a guess searches: past any preamble, but not through megabytes for each of many broken multiparts. */
    private static final int GUESS_OCTETS_MAX = 64 * 1024;

    /** The level at the end of the message. */
    static final int NO_LEVEL = -1;

    private byte[][] stack = new byte[4][];
    private int depth;

    private Delimiter delimiter = new Delimiter(0, 0, NO_LEVEL, false);

    /**
     * A delimiter line.
     *
     * @param lineStart where it begins; the end of the message if there was none
     * @param next where the line after it begins
     * @param level of its multipart, or {@link #NO_LEVEL}
     * @param last whether it is a closing delimiter
     */
    record Delimiter(int lineStart, int next, int level, boolean last) {}

    /** Enters a multipart, and returns its level. */
    int push(byte[] boundary) {
        if (depth == stack.length) {
            stack = Arrays.copyOf(stack, depth * 2);
        }
        stack[depth] = boundary;
        return depth++;
    }

    void pop() {
        depth--;
    }

    /** Whether the walk is inside a multipart. */
    boolean inside() {
        return depth > 0;
    }

    /** The last delimiter line found. */
    Delimiter delimiter() {
        return delimiter;
    }

    /** Finds the first delimiter line at or after {@code from}, the start of a line. */
    void seek(byte[] octets, int from, int end) {
        if (depth > 0) {
            boolean found = isDelimiter(octets, from, end);
            int line = from;
            while (!found && line < end) {
                line = nextDashes(octets, line, end);
                found = line < end && match(octets, line, end);
            }
            if (found) {
                return;
            }
        }
        delimiter = new Delimiter(end, end, NO_LEVEL, false);
    }

    /**
     * The next line after the one at {@code from} that begins with two hyphens, or {@code end}. Line feed and hyphens
     * are three octets, so looking at every third octet finds them.
     */
    private static int nextDashes(byte[] octets, int from, int end) {
        for (int i = from + 2; i < end; i += 3) {
            byte octet = octets[i];
            if (octet == '-' || octet == '\n') {
                for (int feed = i - 2; feed <= i && feed + 2 < end; feed++) {
                    if (octets[feed] == '\n' && octets[feed + 1] == '-' && octets[feed + 2] == '-') {
                        return feed + 1;
                    }
                }
            }
        }
        return end;
    }

    boolean isDelimiter(byte[] octets, int line, int end) {
        boolean dashes = line + 2 < end && octets[line] == '-' && octets[line + 1] == '-';
        return dashes && match(octets, line, end);
    }

    private boolean match(byte[] octets, int line, int end) {
        int stop = Lines.lineStop(octets, line, end);
        for (int i = depth - 1; i >= 0; i--) {
            byte[] boundary = stack[i];
            int after = line + 2 + boundary.length;
            if (after <= stop && Arrays.equals(octets, line + 2, after, boundary, 0, boundary.length)) {
                boolean closing = isClosing(octets, after, stop);
                if (closing || endsWord(octets, after, stop)) {
                    delimiter = new Delimiter(line, Lines.nextLine(octets, stop, end), i, closing);
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether two hyphens follow. Blanks before them are part of a boundary that ends with blanks, against the RFC. */
    private static boolean isClosing(byte[] octets, int from, int stop) {
        int at = from;
        while (at < stop && Lines.isBlank(octets[at])) {
            at++;
        }
        return at + 2 <= stop && octets[at] == '-' && octets[at + 1] == '-' && endsWord(octets, at + 2, stop);
    }

    private static boolean endsWord(byte[] octets, int at, int stop) {
        return at == stop || Lines.isBlank(octets[at]) || octets[at] == '\r';
    }

    /** A boundary for comparison: RFC 2046 §5.1.1 forbids blanks at its end. */
    static byte[] trimmed(byte[] boundary) {
        int length = boundary.length;
        while (length > 0 && Lines.isBlank(boundary[length - 1])) {
            length--;
        }
        return Arrays.copyOf(boundary, length);
    }

    /**
     * Guesses the boundary of a multipart whose own boundary is not found: the first line that begins with two
     * hyphens before a Content- field. Empty if there is none.
     */
    static byte[] guess(byte[] octets, int from, int end) {
        int to = Math.min(end, from + GUESS_OCTETS_MAX);
        int line = from;
        while (line < to) {
            int stop = Lines.lineStop(octets, line, to);
            int next = Lines.nextLine(octets, stop, to);
            if (stop - line > 2
                    && octets[line] == '-'
                    && octets[line + 1] == '-'
                    && Lines.startsWith(octets, next, to, "content-")) {
                return trimmed(Arrays.copyOfRange(octets, line + 2, stop));
            }
            line = next;
        }
        return new byte[0];
    }
}
