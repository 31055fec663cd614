package dev.oneshot.ingest.authentication.dkim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields of a header section, as text in ISO 8859-1. A line that is no field belongs to none of them.
 *
 * @param fields top first
 * @param bodyStart where the body begins, after the empty line
 * @param isWellFormed whether each line belongs to a field and has no bare CR. Readers differ about the others: some see a
 *     field there, some the body, and some end a line at a bare CR.
 */
public record HeaderSection(List<Field> fields, int bodyStart, boolean isWellFormed) {

    // The message reader stops here, too.
    private static final int FIELDS_MAX = 5_000;

    /** A line that is not empty, with the folded lines after it. Repetitions are possessive, so that time is linear. */
    private static final Pattern LINES = Pattern.compile("\\G(?!\r?\n)([^\n]++(?:\n[ \t][^\n]*+)*+)\n?+");

    private static final Pattern FIELD =
            Pattern.compile("(?!--)(?<label>(?<name>[!-9;-~]++)[ \t]*+:)(?<value>.*?)\r?", Pattern.DOTALL);
    private static final Pattern BARE_CR = Pattern.compile("\r(?!\n)");

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
        String section = new String(octets, from, to - from, StandardCharsets.ISO_8859_1);
        List<Field> fields = new ArrayList<>();
        boolean isWellFormed = true;
        int end = 0;
        for (Matcher lines = LINES.matcher(section); lines.find(); end = lines.end()) {
            Matcher field = FIELD.matcher(lines.group(1));
            boolean isField = field.matches() && fields.size() < FIELDS_MAX;
            if (isField) {
                String name = field.group("name").toLowerCase(Locale.ROOT);
                fields.add(new Field(name, end, field.group("label"), field.group("value")));
            }
            isWellFormed &= isField && !BARE_CR.matcher(lines.group()).find();
        }
        int emptyLine = section.startsWith("\r\n", end) ? 2 : section.startsWith("\n", end) ? 1 : 0;
        return new HeaderSection(List.copyOf(fields), from + end + emptyLine, isWellFormed);
    }

    /** The fields of a name in lower case, top first. */
    public List<Field> named(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).toList();
    }
}
