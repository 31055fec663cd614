package dev.oneshot.ingest.smtp.data;

import dev.oneshot.ingest.smtp.AuthservId;
import java.nio.charset.StandardCharsets;

/**
 * Removes Authentication-Results fields with the server's authserv-id from a received header section, as they are
 * forged (RFC 8601 §5). Some readers end lines at a bare CR, so a field may begin after one. Time is linear.
 */
final class OwnResults {

    private static final byte[] NAME = "authentication-results".getBytes(StandardCharsets.US_ASCII);

    private final byte[] octets;
    private final int from;
    private final int to;
    private final AuthservId ours;

    private int kept;
    private int pending;
    private int count;

    private OwnResults(byte[] octets, int from, int to, AuthservId ours) {
        this.octets = octets;
        this.from = from;
        this.to = to;
        this.ours = ours;
        this.kept = from;
        this.pending = from;
    }

    /**
     * The result.
     *
     * @param fields how many fields were removed
     * @param end the new end of the bytes
     */
    record Removed(int fields, int end) {}

    /**
     * Removes fields, and moves the other bytes up to {@code end} together.
     *
     * @param from where the header section begins
     * @param to where it ends at the latest; it also ends at an empty line
     */
    static Removed remove(byte[] octets, int from, int to, int end, AuthservId ours) {
        OwnResults results = new OwnResults(octets, from, to, ours);
        results.scan();
        results.keepTo(end);
        return new Removed(results.count, results.kept);
    }

    private void scan() {
        int line = from;
        // The last field with this name at the start of a line that is not ours.
        int other = from;
        int otherEnd = from;
        while (line < to) {
            boolean afterReturn = line > from && octets[line - 1] == '\r';
            if (!afterReturn && isEmpty(line)) {
                return;
            }
            int value = afterReturn && isAfterEmpty(line) ? -1 : value(line, !afterReturn);
            int stop = value < 0 ? -1 : stop(line, afterReturn);
            if (stop >= 0 && ours.isIn(new String(octets, value, stop - value, StandardCharsets.UTF_8))) {
                count++;
                if (line < otherEnd) {
                    // The rest of the field around this one may have the name.
                    keepTo(other);
                    pending = otherEnd;
                    line = otherEnd;
                } else {
                    // A line end stays if it also ends the text before the bare CR.
                    keepTo(afterReturn ? line - 1 : line);
                    pending = afterReturn ? stop : next(stop, false);
                    line = next(stop, afterReturn);
                }
            } else {
                if (stop >= 0 && !afterReturn) {
                    other = line;
                    otherEnd = next(stop, false);
                }
                line = next(lineStop(line, true), true);
            }
        }
    }

    /** Keeps undecided bytes up to here. */
    private void keepTo(int end) {
        if (kept < pending) {
            System.arraycopy(octets, pending, octets, kept, end - pending);
        }
        kept += end - pending;
        pending = end;
    }

    /**
     * Where the value begins if a field of this name begins at this line, else -1. Readers skip a byte order mark at a line's beginning.
     *
     * @param pastReturns whether bare CRs are skipped, as some readers do
     */
    private int value(int line, boolean pastReturns) {
        int at = afterMark(pastReturns ? afterReturns(line) : line);
        // Readers ignore a blank before the first field.
        at = kept == from && pending == line ? afterBlanks(at) : at;
        if (to - at <= NAME.length) {
            return -1;
        }
        for (byte expected : NAME) {
            at = pastReturns ? afterReturns(at) : at;
            byte octet = at < to ? octets[at++] : 0;
            if (octet != expected && (octet < 'A' || octet > 'Z' || octet + ('a' - 'A') != expected)) {
                return -1;
            }
        }
        at = afterBlanks(at);
        return at < to && octets[at] == ':' ? at + 1 : -1;
    }

    /** Where the last line of the field with more than blanks ends. Later lines may separate header and body. */
    private int stop(int line, boolean afterReturn) {
        int stop = line;
        int next = line;
        do {
            int end = lineStop(next, afterReturn);
            stop = afterBlanks(afterMark(next)) < end ? end : stop;
            next = next(end, afterReturn);
        } while (next < to && afterBlanks(afterMark(next)) > afterMark(next));
        return stop;
    }

    private int lineStop(int line, boolean atReturn) {
        int at = line;
        while (at < to && octets[at] != '\n' && !(atReturn && octets[at] == '\r')) {
            at++;
        }
        while (at > line && octets[at - 1] == '\r') {
            at--;
        }
        return at;
    }

    private int next(int stop, boolean atReturn) {
        int at = stop;
        while (at < to && octets[at] == '\r') {
            at++;
            if (atReturn) {
                break;
            }
        }
        return at < to && octets[at] == '\n' ? at + 1 : at;
    }

    private boolean isEmpty(int line) {
        int at = afterReturns(line);
        return at < to && octets[at] == '\n';
    }

    /** Whether the line before is empty for readers that end lines at CR; their header section has ended then. */
    private boolean isAfterEmpty(int line) {
        return line - 1 == from || octets[line - 2] == '\r' || octets[line - 2] == '\n';
    }

    private int afterMark(int line) {
        boolean mark = line + 3 <= to
                && octets[line] == (byte) 0xEF
                && octets[line + 1] == (byte) 0xBB
                && octets[line + 2] == (byte) 0xBF;
        return mark ? line + 3 : line;
    }

    private int afterReturns(int line) {
        int at = line;
        while (at < to && octets[at] == '\r') {
            at++;
        }
        return at;
    }

    private int afterBlanks(int from) {
        int at = from;
        while (at < to && (octets[at] == ' ' || octets[at] == '\t')) {
            at++;
        }
        return at;
    }
}
