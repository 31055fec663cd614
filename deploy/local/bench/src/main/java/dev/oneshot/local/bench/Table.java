package dev.oneshot.local.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows under a title. Columns appear in the order in which rows first use them. */
public final class Table {

    private final String title;
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    public Table(String title) {
        this.title = title;
    }

    /**
     * Adds a row.
     *
     * @param columnsAndValues pairs: a value is text, a whole number, a double, or a {@link Latency}, which fills the two
     *     columns "p50 ms" and "p99 ms" with the given column as their prefix
     */
    public Table row(Object... columnsAndValues) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < columnsAndValues.length; i += 2) {
            String column = (String) columnsAndValues[i];
            if (columnsAndValues[i + 1] instanceof Latency latency) {
                row.put(column + "p50 ms", latency.percentileMillis(50));
                row.put(column + "p99 ms", latency.percentileMillis(99));
            } else {
                row.put(column, columnsAndValues[i + 1]);
            }
        }
        rows.add(row);
        return this;
    }

    /** Adds a sentence below the table. */
    public Table note(String sentence) {
        notes.add(sentence);
        return this;
    }

    /** The table as lines of text: words on the left, numbers on the right. */
    String text() {
        List<String> columns =
                rows.stream().flatMap(row -> row.keySet().stream()).distinct().toList();
        StringBuilder text = new StringBuilder(title);
        for (int line = -1; line < rows.size(); line++) {
            StringBuilder cells = new StringBuilder("\n  ");
            for (String column : columns) {
                String cell = line < 0 ? column : cell(rows.get(line).get(column));
                int width = Math.max(
                        column.length(),
                        rows.stream()
                                .mapToInt(row -> cell(row.get(column)).length())
                                .max()
                                .orElse(0));
                cells.append(("%" + (isText(column) ? "-" : "") + width + "s  ").formatted(cell));
            }
            text.append(cells.toString().stripTrailing());
        }
        notes.forEach(note -> text.append("\n  ").append(note));
        return text.append('\n').toString();
    }

    private boolean isText(String column) {
        return rows.stream().anyMatch(row -> row.get(column) instanceof String);
    }

    /** Formats a number with its significant digits. */
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
