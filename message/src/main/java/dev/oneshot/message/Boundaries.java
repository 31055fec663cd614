package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The boundaries of the multiparts a walk is inside of, and the search for the next delimiter line of any of them
 * (RFC 2046 §5.1.1): an enclosing multipart's delimiter ends the inner ones too.
 *
 * <p>A delimiter is two hyphens at the start of a line, the whole boundary, two hyphens more for the last one, and
 * nothing but blanks after it; so a line that only begins with a boundary is content.
 */
final class Boundaries {

    /** The level of no multipart: the end of the message was reached. */
    static final int NO_LEVEL = -1;

    private byte[][] stack = new byte[4][];
    private int depth;

    private int lineStart;
    private int next;
    private int level = NO_LEVEL;
    private boolean last;

    /** Enters a multipart. @return its level */
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

    /** Where the delimiter line found last begins; the end of the message if there was none. */
    int lineStart() {
        return lineStart;
    }

    /** Where the line after it begins. */
    int next() {
        return next;
    }

    /** Whose delimiter it is, or {@link #NO_LEVEL}. */
    int level() {
        return level;
    }

    /** Whether it was a closing delimiter. */
    boolean last() {
        return last;
    }

    /** Finds the first delimiter line at or after {@code from}, which is the start of a line. */
    void seek(byte[] octets, int from, int end) {
        int line = from;
        while (depth > 0 && line < end) {
            if (octets[line] == '-' && match(octets, line, end)) {
                return;
            }
            int feed = Octets.indexOf((byte) '\n', octets, line, end);
            if (feed < 0) {
                break;
            }
            line = feed + 1;
        }
        lineStart = end;
        next = end;
        level = NO_LEVEL;
        last = false;
    }

    boolean isDelimiter(byte[] octets, int line, int end) {
        return depth > 0 && match(octets, line, end);
    }

    private boolean match(byte[] octets, int line, int end) {
        if (line + 2 >= end || octets[line + 1] != '-') {
            return false;
        }
        int stop = Octets.lineStop(octets, line, end);
        int content = stop;
        while (content > line && (Octets.isBlank(octets[content - 1]) || octets[content - 1] == '\r')) {
            content--;
        }
        for (int i = depth - 1; i >= 0; i--) {
            byte[] boundary = stack[i];
            int rest = content - line - 2 - boundary.length;
            if ((rest == 0 || (rest == 2 && octets[content - 1] == '-' && octets[content - 2] == '-'))
                    && Arrays.equals(octets, line + 2, line + 2 + boundary.length, boundary, 0, boundary.length)) {
                lineStart = line;
                next = Octets.nextLine(octets, stop, end);
                level = i;
                last = rest == 2;
                return true;
            }
        }
        return false;
    }

    /** The boundary as octets to compare: RFC 2046 forbids blanks at its end. */
    static byte[] octets(String boundary) {
        return boundary.stripTrailing().getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * The boundary of a multipart whose own is not found, as its delimiters seem to be: that of the first line beginning with two hyphens
     * before a Content- field. Empty if there is none.
     */
    static byte[] guess(byte[] octets, int from, int to) {
        int line = from;
        while (line < to) {
            int stop = Octets.lineStop(octets, line, to);
            int next = Octets.nextLine(octets, stop, to);
            if (stop - line > 2 && octets[line] == '-' && octets[line + 1] == '-' && isContentField(octets, next, to)) {
                return octets(new String(octets, line + 2, stop - line - 2, StandardCharsets.ISO_8859_1));
            }
            line = next;
        }
        return new byte[0];
    }

    private static boolean isContentField(byte[] octets, int from, int to) {
        String prefix = "content-";
        if (to - from < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (Octets.lowerCase(octets[from + i]) != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
