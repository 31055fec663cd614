package dev.oneshot.local.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured, as tables on the terminal and as one JSON file. */
public final class Report {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Instant started;
    private final Map<String, Object> about = new LinkedHashMap<>();
    private final List<Table> tables = new ArrayList<>();

    Report(Instant started) {
        this.started = started;
    }

    /** Notes a fact about the run. */
    void about(String name, Object value) {
        about.put(name, value);
    }

    /** Adds a table and prints it. */
    public void add(Table table) {
        tables.add(table);
        System.out.println();
        System.out.println(table.text());
    }

    /** Writes the file and answers its name. */
    Path write(Path directory) throws IOException {
        Files.createDirectories(directory);
        String name = "bench-" + started.toString().replaceAll("[:.]", "-") + ".json";
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("started", started.toString());
        all.putAll(about);
        all.put("tables", tables.stream().map(Table::content).toList());
        Path file = directory.resolve(name);
        JSON.writeValue(file.toFile(), all);
        return file;
    }
}
