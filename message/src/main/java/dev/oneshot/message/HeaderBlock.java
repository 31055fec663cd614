package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The positions of the fields in the header section of a message or part (RFC 5322 §2.2).
 *
 * <p>The section ends at the first empty line. Lines that are no fields are skipped, as mail programs do. If no empty
 * line follows at all, the body begins at the first such line.
 */
final class HeaderBlock {

    private static final int NONE = -1;

    /** The positions of a field: its name, and its value with folds. */
    private record Field(int start, int nameStop, int valueStart, int stop) {
        Field until(int later) {
            return new Field(start, nameStop, valueStart, later);
        }
    }

    private final byte[] octets;
    private final int from;
    private final int sent;
    private final int end;
    private final MessageLimits limits;
    private final Boundaries boundaries;

    private final List<Field> fields = new ArrayList<>();
    private boolean open;
    private boolean complete = true;
    private int bodyStart = NONE;
    private int strayLine = NONE;
    private int strayTail = NONE;
    private int firstDashLine = NONE;
    private boolean afterBlankFold;

    private HeaderBlock(byte[] octets, int from, int sent, int end, MessageLimits limits, Boundaries boundaries) {
        this.octets = octets;
        this.from = from;
        this.sent = sent;
        this.end = end;
        this.limits = limits;
        this.boundaries = boundaries;
    }

    /** The header section of a part; it ends at a delimiter of {@code boundaries} at the latest. */
    static HeaderBlock ofPart(byte[] octets, int from, int end, MessageLimits limits, Boundaries boundaries) {
        HeaderBlock block = new HeaderBlock(octets, from, NONE, end, limits, boundaries);
        block.scan();
        return block;
    }

    /**
     * The header section of a message.
     *
     * @param from where the trace fields begin
     * @param sent where the sender's octets begin; an empty line right before them does not end the section
     */
    static HeaderBlock ofMessage(byte[] octets, int from, int sent, int end, MessageLimits limits) {
        HeaderBlock block = new HeaderBlock(octets, from, sent, end, limits, new Boundaries());
        block.scan();
        return block;
    }

    int count() {
        return fields.size();
    }

    /** False if fields were left out because of a limit. */
    boolean complete() {
        return complete;
    }

    /** Where the body begins. */
    int bodyStart() {
        return bodyStart;
    }

    /**
     * Where the last lines of the section begin that are not fields, or -1. If the empty line is missing, they are the
     * body.
     */
    int strayTail() {
        return strayTail;
    }

    /**
     * Where the first line begins that starts with two hyphens, or -1. If the empty line is missing, it may be a
     * delimiter.
     */
    int firstDashLine() {
        return firstDashLine;
    }

    String name(int field) {
        Field found = fields.get(field);
        return new String(octets, found.start, found.nameStop - found.start, StandardCharsets.US_ASCII);
    }

    private boolean isNamed(int field, String lowerCaseName) {
        Field found = fields.get(field);
        return found.nameStop - found.start == lowerCaseName.length()
                && Lines.startsWith(octets, found.start, found.nameStop, lowerCaseName);
    }

    /** The field's value, unfolded (RFC 5322 §2.2.3) and trimmed, otherwise as received. */
    byte[] value(int field) {
        int start = fields.get(field).valueStart;
        int stop = fields.get(field).stop;
        while (start < stop && Lines.isBlank(octets[start])) {
            start++;
        }
        while (stop > start && Lines.isBlank(octets[stop - 1])) {
            stop--;
        }
        byte[] value = new byte[stop - start];
        int length = 0;
        boolean folded = false;
        for (int i = start; i < stop; i++) {
            byte octet = octets[i];
            if (octet == '\n') {
                while (length > 0 && value[length - 1] == '\r') {
                    length--;
                }
                folded = true;
            } else {
                value[length++] = folded && octet == '\t' ? (byte) ' ' : octet;
                folded = false;
            }
        }
        return length == value.length ? value : Arrays.copyOf(value, length);
    }

    /** The values of the fields of that name. */
    List<byte[]> values(String lowerCaseName) {
        List<byte[]> values = new ArrayList<>(1);
        for (int i = 0; i < count(); i++) {
            if (isNamed(i, lowerCaseName)) {
                values.add(value(i));
            }
        }
        return values;
    }

    /** The first non-empty value of a field of that name; empty if there is none. */
    byte[] firstValue(String lowerCaseName) {
        for (byte[] value : values(lowerCaseName)) {
            if (value.length > 0) {
                return value;
            }
        }
        return new byte[0];
    }

    private void scan() {
        int line = from;
        while (line < end && bodyStart == NONE) {
            int stop = Lines.lineStop(octets, line, end);
            int next = Lines.nextLine(octets, stop, end);
            int start = Lines.startsWithByteOrderMark(octets, line, stop) ? line + 3 : line;
            if (line == sent && start < stop && Lines.isBlank(octets[start])) {
                beginsWithBlank(start, stop, next);
            } else if (start != stop || next != sent) {
                line(start, stop, next);
            }
            line = next;
        }
        if (bodyStart == NONE) {
            bodyStart = strayLine == NONE ? end : strayLine;
        }
    }

    /** A blank before the sender's first field is a mistake. It does not continue the trace fields. */
    private void beginsWithBlank(int line, int stop, int next) {
        open = false;
        int text = line;
        while (text < stop && Lines.isBlank(octets[text])) {
            text++;
        }
        int colon = colon(text, stop);
        if (colon != NONE) {
            field(text, colon, stop);
        } else if (text < stop) {
            stray(line, next);
        } else if (!isField(next)) {
            bodyStart = next;
        }
    }

    private void line(int line, int stop, int next) {
        if (line == stop) {
            bodyStart = hasOnlyTrace() && strayTail != NONE ? strayTail : next;
        } else if (Lines.isBlank(octets[line]) && (count() > 0 || strayLine != NONE)) {
            continuation(line, stop);
        } else if (Lines.isBlank(octets, line, stop) && !isField(next)) {
            bodyStart = next;
        } else if (octets[line] == '-' && line + 1 < stop && octets[line + 1] == '-') {
            dashes(line);
        } else {
            int colon = colon(line, stop);
            if (colon == NONE) {
                stray(line, next);
            } else {
                field(line, colon, stop);
            }
        }
    }

    /**
     * Whether there are only fields that mail servers add. Then lines that are no fields are the text of a sender who wrote no
     * header.
     */
    private boolean hasOnlyTrace() {
        for (int i = 0; i < count(); i++) {
            boolean isOurs = fields.get(i).start < sent;
            if (!isOurs && !isNamed(i, "received") && !isNamed(i, "return-path")) {
                return false;
            }
        }
        return true;
    }

    private void continuation(int line, int stop) {
        afterBlankFold = Lines.isBlank(octets, line, stop);
        if (open) {
            if (stop - from > limits.headerOctetsMax()) {
                complete = false;
            } else {
                fields.add(fields.removeLast().until(stop));
            }
        }
    }

    private void dashes(int line) {
        open = false;
        if (boundaries.isDelimiter(octets, line, end)) {
            bodyStart = strayLine == NONE ? line : strayLine;
            return;
        }
        if (firstDashLine == NONE) {
            firstDashLine = line;
        }
        noteStray(line);
    }

    /** A line that is no field: either the sender wrote no header, or it is a mistake among fields. */
    private void stray(int line, int next) {
        open = false;
        if (afterBlankFold || (count() == 0 && !isField(next))) {
            bodyStart = line;
        } else if (count() > 0) {
            noteStray(line);
        }
    }

    private boolean isField(int line) {
        return line < end && colon(line, Lines.lineStop(octets, line, end)) != NONE;
    }

    private void noteStray(int line) {
        if (strayLine == NONE) {
            strayLine = line;
        }
        if (strayTail == NONE) {
            strayTail = line;
        }
    }

    private void field(int line, int colon, int stop) {
        afterBlankFold = false;
        open = false;
        strayTail = NONE;
        if (count() == limits.headerFieldsMax() || stop - from > limits.headerOctetsMax()) {
            complete = false;
            return;
        }
        int nameStop = colon;
        while (Lines.isBlank(octets[nameStop - 1])) {
            nameStop--;
        }
        fields.add(new Field(line, nameStop, colon + 1, stop));
        open = true;
    }

    /** The colon after the name of a field: after visible ASCII, and in the obsolete form blanks (RFC 5322 §4.5). */
    private int colon(int line, int stop) {
        int at = line;
        while (at < stop && octets[at] > ' ' && octets[at] != 0x7F && octets[at] != ':') {
            at++;
        }
        if (at == line) {
            return NONE;
        }
        while (at < stop && Lines.isBlank(octets[at])) {
            at++;
        }
        return at < stop && octets[at] == ':' ? at : NONE;
    }
}
