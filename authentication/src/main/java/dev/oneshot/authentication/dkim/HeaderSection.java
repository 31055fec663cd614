package dev.oneshot.authentication.dkim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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

    /**
     * A field.
     *
     * @param name in lower case
     * @param start where it begins in the section
     * @param label the name as written, and the colon
     * @param value the text after the colon, without the last line end
     */
    public record Field(String name, int start, String label, String value) {}

    /** Reads the section in {@code octets[from .. to)}; it ends at an empty line. */
    public static HeaderSection read(byte[] octets, int from, int to) {
        List<Field> fields = new ArrayList<>();
        boolean isWellFormed = true;
        int at = from;
        while (at < to && emptyLine(octets, at, to) == 0) {
            int end = end(octets, at, to);
            int colon = fields.size() < FIELDS_MAX ? colon(octets, at, end) : -1;
            if (colon >= 0) {
                fields.add(field(octets, at, colon, end, from));
            }
            isWellFormed &= colon >= 0 && !hasBareCarriageReturn(octets, at, end);
            at = end;
        }
        return new HeaderSection(List.copyOf(fields), at + emptyLine(octets, at, to), isWellFormed);
    }

    /** The length of the empty line that begins here; 0 if there is none. */
    private static int emptyLine(byte[] octets, int at, int to) {
        if (at < to && octets[at] == '\n') {
            return 1;
        }
        return at + 1 < to && octets[at] == '\r' && octets[at + 1] == '\n' ? 2 : 0;
    }

    /** Where a line and the folded lines after it end. */
    private static int end(byte[] octets, int from, int to) {
        int at = from;
        while (at < to) {
            boolean isLineEnd = octets[at++] == '\n';
            if (isLineEnd && !(at < to && isBlank(octets[at]))) {
                return at;
            }
        }
        return to;
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

    private static boolean hasBareCarriageReturn(byte[] octets, int from, int end) {
        for (int at = from; at < end; at++) {
            if (octets[at] == '\r' && !(at + 1 < end && octets[at + 1] == '\n')) {
                return true;
            }
        }
        return false;
    }

    private static Field field(byte[] octets, int start, int colon, int end, int section) {
        int valueEnd = end - (octets[end - 1] == '\n' ? 1 : 0);
        valueEnd -= valueEnd > colon + 1 && octets[valueEnd - 1] == '\r' ? 1 : 0;
        String label = text(octets, start, colon + 1);
        String name = label.substring(0, label.length() - 1).strip().toLowerCase(Locale.ROOT);
        return new Field(name, start - section, label, text(octets, colon + 1, valueEnd));
    }

    private static String text(byte[] octets, int from, int to) {
        return new String(octets, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** The fields of a name in lower case, top first. */
    public List<Field> named(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).toList();
    }
}
