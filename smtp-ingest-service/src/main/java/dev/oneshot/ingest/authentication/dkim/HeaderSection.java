package dev.oneshot.ingest.authentication.dkim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The positions of the fields in a header section. A line that is no field belongs to none of them.
 *
 * @param octets the array that has the section
 * @param fields top first
 * @param bodyStart where the body begins, after the empty line
 * @param isWellFormed whether each line belongs to a field and has no bare CR. Readers differ about the others: some see a
 *     field there, some the body, and some end a line at a bare CR.
 */
@SuppressWarnings("ArrayRecordComponent") // A view, never compared.
public record HeaderSection(byte[] octets, List<Field> fields, int bodyStart, boolean isWellFormed) {

    // The message reader stops here, too.
    private static final int FIELDS_MAX = 5_000;

    private static final byte DEL = 0x7F;

    /**
     * A field.
     *
     * @param name in lower case
     * @param start of the name
     * @param value after the colon
     * @param end after the line end of its last line
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
            isWellFormed &= !hasBareCr(octets, line, next);
            if (isField && fields.size() < FIELDS_MAX) {
                String name = new String(octets, line, nameEnd - line, StandardCharsets.US_ASCII);
                fields.add(new Field(name.toLowerCase(Locale.ROOT), line, colon + 1, next));
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

    /** What stands after the colon, without the last line end, in ISO 8859-1. */
    public String value(Field field) {
        int end = field.end();
        end -= end > field.value() && octets[end - 1] == '\n' ? 1 : 0;
        end -= end > field.value() && octets[end - 1] == '\r' ? 1 : 0;
        return text(field.value(), end);
    }

    String text(int from, int to) {
        return new String(octets, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static boolean hasBareCr(byte[] octets, int from, int to) {
        for (int at = from; at < to; at++) {
            if (octets[at] == '\r' && (at + 1 == to || octets[at + 1] != '\n')) {
                return true;
            }
        }
        return false;
    }

    private static int lineEnd(byte[] octets, int from, int to) {
        int at = from;
        while (at < to && octets[at] != '\n') {
            at++;
        }
        return Math.min(at + 1, to);
    }
}
