package dev.oneshot.local.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Rows of values under a title and the names of their columns. */
public final class Table {

    private static final double NANOS_IN_MILLI = 1e6;

    private final String title;
    private final List<List<String>> lines = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** @param columns their names, as in {@code "mode | 250s/s"} */
    public Table(String title, String columns) {
        this.title = title;
        lines.add(List.of(columns.split(" \\| ", -1)));
    }

    /**
     * Adds a row.
     *
     * @param values one for each column: text, a whole number, a double, or a histogram of nanoseconds, shown as its p50
     *     and p99 in milliseconds
     */
    public Table row(Object... values) {
        lines.add(Arrays.stream(values).map(Table::cell).toList());
        return this;
    }

    /** Adds a sentence below the table. */
    public Table note(String sentence) {
        notes.add(sentence);
        return this;
    }

    /** The table as lines of text: the first column aligned left, the others right. */
    String text() {
        StringBuilder text = new StringBuilder(title);
        for (List<String> line : lines) {
            text.append('\n');
            for (int column = 0; column < line.size(); column++) {
                String format = column == 0 ? "  %-" + width(column) + "s" : "  %" + width(column) + "s";
                text.append(format.formatted(line.get(column)));
            }
        }
        notes.forEach(note -> text.append("\n  ").append(note));
        return text.append('\n').toString();
    }

    private int width(int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElseThrow();
    }

    /** Formats a number with its significant digits. */
    private static String cell(Object value) {
        return switch (value) {
            case Histogram nanos -> millis(nanos, 50) + "/" + millis(nanos, 99);
            case Double number when Math.abs(number) >= 100 -> String.format(Locale.ROOT, "%,.0f", number);
            case Double number -> String.format(Locale.ROOT, "%.2f", number);
            case Number number -> String.format(Locale.ROOT, "%,d", number.longValue());
            default -> value.toString();
        };
    }

    private static String millis(Histogram nanos, double percentile) {
        return cell(nanos.getValueAtPercentile(percentile) / NANOS_IN_MILLI);
    }
}
