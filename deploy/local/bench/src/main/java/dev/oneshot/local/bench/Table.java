package dev.oneshot.local.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows of values under a title and the names of their columns. */
public final class Table {

    private final String title;
    private final List<String> columns;
    private final List<List<Object>> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** @param columns their names, as in {@code "mode | 250s/s"} */
    public Table(String title, String columns) {
        this.title = title;
        this.columns = List.of(columns.split(" \\| ", -1));
    }

    /**
     * Adds a row.
     *
     * @param values one for each column: text, a whole number, a double, or a {@link Latency}, shown as its p50 and p99 in
     *     milliseconds
     */
    public Table row(Object... values) {
        rows.add(List.of(values));
        return this;
    }

    /** Adds a sentence below the table. */
    public Table note(String sentence) {
        notes.add(sentence);
        return this;
    }

    /** The table as lines of text: words on the left, numbers on the right. */
    String text() {
        List<List<String>> lines = new ArrayList<>(List.of(columns));
        rows.forEach(row -> lines.add(row.stream().map(Table::cell).toList()));
        StringBuilder text = new StringBuilder(title);
        for (List<String> line : lines) {
            StringBuilder cells = new StringBuilder("\n  ");
            for (int column = 0; column < columns.size(); column++) {
                cells.append(format(column, lines).formatted(line.get(column)));
            }
            text.append(cells.toString().stripTrailing());
        }
        notes.forEach(note -> text.append("\n  ").append(note));
        return text.append('\n').toString();
    }

    private String format(int column, List<List<String>> lines) {
        boolean words = rows.stream().anyMatch(row -> row.get(column) instanceof String);
        int width =
                lines.stream().mapToInt(line -> line.get(column).length()).max().orElseThrow();
        return "%" + (words ? "-" : "") + width + "s  ";
    }

    /** Formats a number with its significant digits. */
    private static String cell(Object value) {
        return switch (value) {
            case Latency latency -> cell(latency.percentileMillis(50)) + "/" + cell(latency.percentileMillis(99));
            case Double number when Math.abs(number) >= 100 -> String.format(Locale.ROOT, "%,.0f", number);
            case Double number -> String.format(Locale.ROOT, "%.2f", number);
            case Number number -> String.format(Locale.ROOT, "%,d", number.longValue());
            default -> value.toString();
        };
    }
}
