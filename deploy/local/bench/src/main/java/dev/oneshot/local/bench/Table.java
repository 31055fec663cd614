package dev.oneshot.local.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows under a title. Columns are those of the first row that has them, in that order. */
public final class Table {

    private static final int GAP = 2;

    private final String title;
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    public Table(String title) {
        this.title = title;
    }

    /** A row, from pairs of column and value: text, whole numbers or doubles. */
    public Table row(Object... columnsAndValues) {
        if (columnsAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a column without a value");
        }
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < columnsAndValues.length; i += 2) {
            row.put((String) columnsAndValues[i], columnsAndValues[i + 1]);
        }
        rows.add(row);
        return this;
    }

    /** A sentence below the table. */
    public Table note(String sentence) {
        notes.add(sentence);
        return this;
    }

    Map<String, Object> content() {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("title", title);
        content.put("rows", rows);
        content.put("notes", notes);
        return content;
    }

    /** The table as lines of text: words to the left, numbers to the right. */
    String text() {
        List<String> columns =
                rows.stream().flatMap(row -> row.keySet().stream()).distinct().toList();
        StringBuilder text = new StringBuilder(title).append('\n');
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns);
        rows.forEach(row ->
                lines.add(columns.stream().map(column -> cell(row.get(column))).toList()));
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            widths.add(lines.stream()
                    .mapToInt(line -> line.get(column).length())
                    .max()
                    .orElse(0));
        }
        for (List<String> line : lines) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < line.size(); i++) {
                out.append(pad(line.get(i), widths.get(i), isText(columns.get(i))))
                        .append(" ".repeat(GAP));
            }
            text.append("  ").append(out.toString().stripTrailing()).append('\n');
        }
        notes.forEach(note -> text.append("  ").append(note).append('\n'));
        return text.toString();
    }

    private boolean isText(String column) {
        return rows.stream().anyMatch(row -> row.get(column) instanceof String);
    }

    private static String pad(String cell, int width, boolean left) {
        String blanks = " ".repeat(width - cell.length());
        return left ? cell + blanks : blanks + cell;
    }

    /** Numbers with as many digits as mean something. */
    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Double number when Math.abs(number) >= 100 -> String.format(Locale.ROOT, "%,.0f", number);
            case Double number -> String.format(Locale.ROOT, "%.2f", number);
            case Number number -> String.format(Locale.ROOT, "%,d", number.longValue());
            default -> value.toString();
        };
    }
}
