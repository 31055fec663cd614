package dev.oneshot.authentication.dkim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The fields of a header section, as text in ISO 8859-1. A line that is no field belongs to none of them.
 *
 * @param fields top first
 * @param bodyStart where the body begins, after the empty line
 * @param isWellFormed whether each line belongs to a field and has no bare CR. Readers differ about the others: some see a
 *     field there, some the body, and some end a line at a bare CR.
 */
public record HeaderSection(List<Field> fields, int bodyStart, boolean isWellFormed) {

    // The bound of the message reader.
    private static final int FIELDS_MAX = 5_000;
    private static final int DELETE = 0x7F;

    /** A field. Refers to the octets of the section, and copies only what a caller needs. */
    public static final class Field {

        private final byte[] octets;
        private final int start;
        private final int valueStart;
        private final int valueEnd;
        private final String name;

        private Field(byte[] octets, int start, int colon, int end) {
            this.octets = octets;
            this.start = start;
            this.valueStart = colon + 1;
            int lineEnd = end - (octets[end - 1] == '\n' ? 1 : 0);
            this.valueEnd = lineEnd - (lineEnd > valueStart && octets[lineEnd - 1] == '\r' ? 1 : 0);
            this.name = lowerCase(octets, start, colon);
        }

        private static String lowerCase(byte[] octets, int from, int colon) {
            int to = colon;
            while (isBlank(octets[to - 1])) {
                to--;
            }
            byte[] name = Arrays.copyOfRange(octets, from, to);
            for (int i = 0; i < name.length; i++) {
                if (name[i] >= 'A' && name[i] <= 'Z') {
                    name[i] = (byte) (name[i] + ('a' - 'A'));
                }
            }
            return new String(name, StandardCharsets.ISO_8859_1);
        }

        /** The name in lower case. */
        public String name() {
            return name;
        }

        /** The text after the colon, without the last line end. */
        public String value() {
            return new String(octets, valueStart, valueLength(), StandardCharsets.ISO_8859_1);
        }

        int valueLength() {
            return valueEnd - valueStart;
        }

        /** The length without the last line end. */
        int length() {
            return valueEnd - start;
        }

        /** Appends the name as written and the colon. */
        void putLabel(ByteBuffer target) {
            target.put(octets, start, valueStart - start);
        }

        /** The value, not copied. */
        ByteBuffer valueOctets() {
            return ByteBuffer.wrap(octets, valueStart, valueLength());
        }
    }

    /** Reads the section in {@code octets[from .. to)}; it ends at an empty line. */
    public static HeaderSection read(byte[] octets, int from, int to) {
        List<Field> fields = new ArrayList<>();
        boolean isWellFormed = true;
        Lines lines = new Lines(octets, to);
        int at = from;
        while (at < to && emptyLine(octets, at, to) == 0) {
            int end = lines.end(at);
            int colon = fields.size() < FIELDS_MAX ? colon(octets, at, end) : -1;
            if (colon >= 0) {
                fields.add(new Field(octets, at, colon, end));
            }
            isWellFormed &= colon >= 0;
            at = end;
        }
        isWellFormed &= !lines.hasBareCarriageReturn;
        return new HeaderSection(List.copyOf(fields), at + emptyLine(octets, at, to), isWellFormed);
    }

    /** The length of the empty line that begins here; 0 if there is none. */
    private static int emptyLine(byte[] octets, int at, int to) {
        if (at < to && octets[at] == '\n') {
            return 1;
        }
        return at + 1 < to && octets[at] == '\r' && octets[at + 1] == '\n' ? 2 : 0;
    }

    /** Reads each octet once: a header section may have a mebibyte. */
    private static final class Lines {

        private final byte[] octets;
        private final int to;
        private boolean hasBareCarriageReturn;

        Lines(byte[] octets, int to) {
            this.octets = octets;
            this.to = to;
        }

        /** Where a line and the folded lines after it end. */
        int end(int from) {
            for (int at = from; at < to; at++) {
                if (octets[at] == '\n' && !(at + 1 < to && isBlank(octets[at + 1]))) {
                    return at + 1;
                }
                if (octets[at] == '\r' && !(at + 1 < to && octets[at + 1] == '\n')) {
                    hasBareCarriageReturn = true;
                }
            }
            return to;
        }
    }

    /** Where the colon after the name of a field is; -1 if this is no field. */
    private static int colon(byte[] octets, int from, int end) {
        int at = from;
        while (at < end && octets[at] > ' ' && octets[at] < DELETE && octets[at] != ':') {
            at++;
        }
        boolean isName = at > from && !(octets[from] == '-' && at > from + 1 && octets[from + 1] == '-');
        while (at < end && isBlank(octets[at])) {
            at++;
        }
        return isName && at < end && octets[at] == ':' ? at : -1;
    }

    private static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
    }

    /** The fields of a name in lower case, top first. */
    public List<Field> named(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).toList();
    }
}
