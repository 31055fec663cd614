package dev.oneshot.message;

/**
 * Lines and blanks in octets. A line ends with LF and all CRs before it, as programs that convert line ends twice
 * send two. Other CRs are content.
 */
final class Lines {

    private Lines() {}

    static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
    }

    static boolean isBlank(byte[] octets, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isBlank(octets[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether the range is empty or has line ends only. */
    static boolean isLineEnds(byte[] octets, int from, int to) {
        for (int i = from; i < to; i++) {
            if (octets[i] != '\r' && octets[i] != '\n') {
                return false;
            }
        }
        return true;
    }

    /** Whether the range has only blanks and line ends. */
    static boolean isWhitespace(byte[] octets, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isBlank(octets[i]) && octets[i] != '\r' && octets[i] != '\n') {
                return false;
            }
        }
        return true;
    }

    static int lowerCase(byte octet) {
        return octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet;
    }

    static boolean startsWith(byte[] octets, int from, int to, String lowerCase) {
        boolean starts = to - from >= lowerCase.length();
        for (int i = 0; starts && i < lowerCase.length(); i++) {
            starts = lowerCase(octets[from + i]) == lowerCase.charAt(i);
        }
        return starts;
    }

    /** The octet that two hexadecimal digits at {@code at} stand for; -1 if they are not there. */
    static int hexadecimal(byte[] octets, int at, int to) {
        int high = at + 1 < to ? Character.digit(octets[at], 16) : -1;
        int low = high < 0 ? -1 : Character.digit(octets[at + 1], 16);
        return low < 0 ? -1 : high << 4 | low;
    }

    static boolean isAscii(byte[] octets, int from, int to) {
        for (int i = from; i < to; i++) {
            if (octets[i] < 0) {
                return false;
            }
        }
        return true;
    }

    static int indexOf(byte wanted, byte[] octets, int from, int to) {
        for (int i = from; i < to; i++) {
            if (octets[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** Where the content of the line at {@code from} stops: at its line end, or at {@code to}. */
    static int lineStop(byte[] octets, int from, int to) {
        int feed = indexOf((byte) '\n', octets, from, to);
        if (feed < 0) {
            return to;
        }
        int stop = feed;
        while (stop > from && octets[stop - 1] == '\r') {
            stop--;
        }
        return stop;
    }

    /** Where the line after the line end at {@code stop} begins. */
    static int nextLine(byte[] octets, int stop, int to) {
        int feed = stop;
        while (feed < to && octets[feed] == '\r') {
            feed++;
        }
        return Math.min(to, feed + 1);
    }

    static boolean startsWithByteOrderMark(byte[] octets, int from, int to) {
        return to - from >= 3
                && octets[from] == (byte) 0xEF
                && octets[from + 1] == (byte) 0xBB
                && octets[from + 2] == (byte) 0xBF;
    }
}
