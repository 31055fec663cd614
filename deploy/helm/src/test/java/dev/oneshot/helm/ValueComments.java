package dev.oneshot.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The comments of {@code values.yaml} that start with {@code --}: each documents the value below it. */
final class ValueComments {

    private static final Pattern KEY = Pattern.compile("^( *)([A-Za-z]+):.*");
    private static final Pattern COMMENT = Pattern.compile("^ *# -- \\S.*$");

    private ValueComments() {}

    /** The paths of values without a comment of their own or on an enclosing object. */
    static List<String> undocumented(Path values) {
        List<String> undocumented = new ArrayList<>();
        collectLeaves(Yaml.read(values), "", documented(values), undocumented);
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

    private static List<String> documented(Path file) {
        List<String> documented = new ArrayList<>();
        List<String> path = new ArrayList<>();
        boolean commented = false;
        for (String line : lines(file)) {
            Matcher keyed = KEY.matcher(line);
            if (COMMENT.matcher(line).matches()) {
                commented = true;
            } else if (keyed.matches()) {
                int depth = keyed.group(1).length() / 2;
                while (path.size() > depth) {
                    path.removeLast();
                }
                path.add(keyed.group(2));
                if (commented) {
                    documented.add(String.join(".", path));
                }
                commented = false;
            }
        }
        return documented;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
