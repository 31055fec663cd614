package dev.oneshot.ingest.smtp;

import java.nio.charset.StandardCharsets;

/**
 * Removes Authentication-Results fields that bear our authserv-id from a header section as it came: the sender forged them
 * (RFC 8601 §5). Some readers end lines at a bare CR, so a field may begin after one. Time is linear.
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
     * What is left.
     *
     * @param fields how many were removed
     * @param end where the octets end now
     */
    record Removed(int fields, int end) {}

    /**
     * Moves the octets up to {@code end} together where fields were removed.
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
        while (line < to) {
            boolean afterReturn = line > from && octets[line - 1] == '\r';
            if (!afterReturn && isEmpty(line)) {
                return;
            }
            int value = afterReturn && isAfterEmpty(line) ? -1 : value(line);
            int stop = value < 0 ? -1 : stop(line, afterReturn);
            if (stop >= 0 && ours.isIn(new String(octets, value, stop - value, StandardCharsets.UTF_8))) {
                count++;
                // A line end stays where it also ends the text before the bare CR.
                keepTo(afterReturn ? line - 1 : line);
                pending = afterReturn ? stop : next(stop, false);
                line = next(stop, afterReturn);
            } else {
                line = next(lineStop(line, true), true);
            }
        }
    }

    /** Keeps what has not been decided on yet, up to here. */
    private void keepTo(int end) {
        if (kept < pending) {
            System.arraycopy(octets, pending, octets, kept, end - pending);
        }
        kept += end - pending;
        pending = end;
    }

    /** Where the value begins if a field of the name begins at this line, else -1. Readers skip a byte order mark. */
    private int value(int line) {
        int at = line;
        if (at + 3 <= to
                && octets[at] == (byte) 0xEF
                && octets[at + 1] == (byte) 0xBB
                && octets[at + 2] == (byte) 0xBF) {
            at += 3;
        }
        // Readers take a blank before the first field for a typing error.
        at = line == from ? afterBlanks(at) : at;
        if (to - at <= NAME.length) {
            return -1;
        }
        for (byte expected : NAME) {
            byte octet = octets[at++];
            if (octet != expected && (octet < 'A' || octet > 'Z' || octet + ('a' - 'A') != expected)) {
                return -1;
            }
        }
        at = afterBlanks(at);
        return at < to && octets[at] == ':' ? at + 1 : -1;
    }

    /** Where the field's last line ends that has more than blanks in it: those after it may separate header and body. */
    private int stop(int line, boolean afterReturn) {
        int stop = line;
        int next = line;
        do {
            int end = lineStop(next, afterReturn);
            stop = afterBlanks(next) < end ? end : stop;
            next = next(end, afterReturn);
        } while (next < to && afterBlanks(next) > next);
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
        int at = line;
        while (at < to && octets[at] == '\r') {
            at++;
        }
        return at < to && octets[at] == '\n';
    }

    /** Whether the line before is empty to readers that end lines at CR: then their header section has ended. */
    private boolean isAfterEmpty(int line) {
        return line - 1 == from || octets[line - 2] == '\r' || octets[line - 2] == '\n';
    }

    private int afterBlanks(int from) {
        int at = from;
        while (at < to && (octets[at] == ' ' || octets[at] == '\t')) {
            at++;
        }
        return at;
    }
}
