package dev.oneshot.ingest.smtp;

/**
 * What the beginning of the content would be to the fields in front of it. A line that begins with a blank or a tab goes
 * on with the field before it (RFC 5322 §2.2.3), so such content could add to our trace fields, and has to be kept apart
 * from them. A single line of nothing but blanks adds nothing; mail that begins with one has its header after it, and is
 * in use. Takes the octets as they come; the outcome does not depend on how they were cut up.
 */
final class FirstLine {

    /** So many octets are enough to tell: a line (RFC 5322 §2.1.1), its end, and one after it. */
    static final int OCTETS_MAX = 1001;

    private static final int BLANKS_MAX = 998;

    private Reading reading = Reading.BLANKS;
    private int blanks;

    private enum Reading {
        BLANKS,
        AFTER_CR,
        SECOND_LINE,
        APART,
        BEHIND
    }

    /** Takes more of the content, and nothing once it is known what it is. */
    void read(byte[] source, int from, int to) {
        for (int i = from; i < to && !isKnown(); i++) {
            reading = next(source[i]);
        }
    }

    private Reading next(byte octet) {
        boolean blank = octet == ' ' || octet == '\t';
        return switch (reading) {
            case BLANKS -> blank ? afterBlank() : afterBlanks(octet);
            case AFTER_CR -> octet == '\n' ? Reading.SECOND_LINE : Reading.APART;
            case SECOND_LINE -> blank ? Reading.APART : Reading.BEHIND;
            case APART, BEHIND -> reading;
        };
    }

    private Reading afterBlank() {
        blanks++;
        return blanks > BLANKS_MAX ? Reading.APART : Reading.BLANKS;
    }

    private Reading afterBlanks(byte octet) {
        if (blanks == 0) {
            return Reading.BEHIND;
        }
        return switch (octet) {
            case '\r' -> Reading.AFTER_CR;
            case '\n' -> Reading.SECOND_LINE;
            default -> Reading.APART;
        };
    }

    /** Whether more of the content changes nothing. */
    boolean isKnown() {
        return reading == Reading.APART || reading == Reading.BEHIND;
    }

    /** Whether there has to be an empty line between the fields and the content, if there is no more of it. */
    boolean isApart() {
        return reading != Reading.BEHIND && blanks > 0;
    }
}
