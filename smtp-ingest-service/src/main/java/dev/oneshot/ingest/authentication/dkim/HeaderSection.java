package dev.oneshot.ingest.authentication.dkim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where the fields of a header section are. A line that is no field belongs to none. Nothing is copied.
 *
 * @param octets the array that has the section
 * @param fields top first
 * @param bodyStart where the body begins, behind the empty line
 * @param isWellFormed whether each line belongs to a field. About other lines readers differ: what one takes for text is a
 *     field for another.
 */
@SuppressWarnings("ArrayRecordComponent") // A view, never compared.
public record HeaderSection(byte[] octets, List<Field> fields, int bodyStart, boolean isWellFormed) {

    // Beyond, the message reader finds no fields either.
    private static final int FIELDS_MAX = 5_000;

    private static final byte DEL = 0x7F;

    /**
     * A field.
     *
     * @param name in lower case
     * @param start of the name
     * @param value behind the colon
     * @param end behind the line end of its last line
     */
    public record Field(String name, int start, int value, int end) {}

    public HeaderSection {
        fields = List.copyOf(fields);
    }

    /** Reads the section in {@code octets[from .. to)}; it ends at an empty line. */
    public static HeaderSection read(byte[] octets, int from, int to) {
        List<Field> fields = new ArrayList<>();
        boolean isWellFormed = true;
        int line = from;
        while (line < to) {
            int next = lineEnd(octets, line, to);
            if (octets[line] == '\n' || (octets[line] == '\r' && next == line + 2)) {
                return new HeaderSection(octets, fields, next, isWellFormed);
            }
            while (next < to && (octets[next] == ' ' || octets[next] == '\t')) {
                next = lineEnd(octets, next, to);
            }
            int colon = line;
            while (colon < next && octets[colon] != ':' && octets[colon] > ' ' && octets[colon] != DEL) {
                colon++;
            }
            int nameEnd = colon;
            while (colon < next && (octets[colon] == ' ' || octets[colon] == '\t')) {
                colon++;
            }
            boolean isBoundary = octets[line] == '-' && line + 1 < next && octets[line + 1] == '-';
            boolean isField = nameEnd > line && colon < next && octets[colon] == ':' && !isBoundary;
            if (isField && fields.size() < FIELDS_MAX) {
                fields.add(new Field(lowerCase(octets, line, nameEnd), line, colon + 1, next));
            } else {
                isWellFormed = false;
            }
            line = next;
        }
        return new HeaderSection(octets, fields, to, isWellFormed);
    }

    /** The fields of a name in lower case, top first. */
    public List<Field> named(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).toList();
    }

    private static int lineEnd(byte[] octets, int from, int to) {
        int at = from;
        while (at < to && octets[at] != '\n') {
            at++;
        }
        return Math.min(at + 1, to);
    }

    private static String lowerCase(byte[] octets, int from, int to) {
        return new String(octets, from, to - from, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    }
}
