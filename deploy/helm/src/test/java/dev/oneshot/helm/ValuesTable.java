package dev.oneshot.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of values in the chart's README: a row for each comment that starts with {@code --} in {@code values.yaml}.
 * Values of several objects that have the same name, default and comment share a row. Written into the README by {@code mvn test -pl deploy/helm -am -Dtest=ReadmeTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Doneshot.chart.readme=write}.
 */
final class ValuesTable {

    private static final Pattern KEY = Pattern.compile("^( *)([A-Za-z]+):.*");
    private static final Pattern COMMENT = Pattern.compile("^ *# -- (.*)$");
    private static final String BEGIN = "<!-- values: made from values.yaml, see ValuesTable -->\n";
    private static final String END = "<!-- end of values -->\n";

    private ValuesTable() {}

    /** The README with the current table. */
    static String putInto(String readme, Path values) {
        int begin = readme.indexOf(BEGIN) + BEGIN.length();
        return readme.substring(0, begin) + rows(values) + readme.substring(readme.indexOf(END));
    }

    /** The paths of values without a comment of their own or on an enclosing object. */
    static List<String> undocumented(Path values) {
        List<String> documented = read(values).stream().map(Row::path).toList();
        List<String> undocumented = new ArrayList<>();
        collectLeaves(Yaml.read(values), "", documented, undocumented);
        return undocumented;
    }

    private static void collectLeaves(JsonNode node, String path, List<String> documented, List<String> into) {
        if (documented.contains(path)) {
            return;
        }
        if (node instanceof ObjectNode object && !object.isEmpty()) {
            object.properties()
                    .forEach(field -> collectLeaves(
                            field.getValue(),
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                            documented,
                            into));
        } else {
            into.add(path);
        }
    }

    private static String rows(Path file) {
        ObjectNode values = Yaml.read(file);
        Map<String, List<String>> objectsByRow = new LinkedHashMap<>();
        for (Row row : read(file)) {
            int dot = row.path().lastIndexOf('.');
            String value = values.at("/" + row.path().replace('.', '/')).toString();
            String cells = "%s` | `%s` | %s |\n".formatted(row.path().substring(dot + 1), value, row.meaning());
            objectsByRow
                    .computeIfAbsent(cells, key -> new ArrayList<>())
                    .add(row.path().substring(0, Math.max(dot, 0)));
        }
        StringBuilder table = new StringBuilder("| value | default | meaning |\n|---|---|---|\n");
        objectsByRow.forEach(
                (cells, objects) -> table.append("| `").append(prefix(objects)).append(cells));
        return table.toString();
    }

    private static String prefix(List<String> objects) {
        String first = objects.getFirst();
        if (objects.size() > 1) {
            return "{" + String.join(",", objects) + "}.";
        }
        return first.isEmpty() ? "" : first + ".";
    }

    private static List<Row> read(Path file) {
        List<Row> rows = new ArrayList<>();
        List<String> path = new ArrayList<>();
        String comment = "";
        for (String line : lines(file)) {
            Matcher commented = COMMENT.matcher(line);
            Matcher keyed = KEY.matcher(line);
            if (commented.matches()) {
                comment = commented.group(1);
            } else if (keyed.matches()) {
                int depth = keyed.group(1).length() / 2;
                while (path.size() > depth) {
                    path.removeLast();
                }
                path.add(keyed.group(2));
                if (!comment.isEmpty()) {
                    rows.add(new Row(String.join(".", path), comment));
                }
                comment = "";
            }
        }
        return rows;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Row(String path, String meaning) {}
}
