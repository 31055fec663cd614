package dev.oneshot.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;

/** What the chart gives the JVM of a service by default. */
record ChartValues(JsonNode service) {

    private static final Path FILE = Path.of("../helm/oneshot/values.yaml");

    /** Of a service by its name in the chart. */
    static ChartValues of(String label) throws IOException {
        JsonNode service = new YAMLMapper().readTree(FILE.toFile()).path(label);
        if (service.isMissingNode()) {
            throw new AssertionError("no " + label + " in " + FILE);
        }
        return new ChartValues(service);
    }

    String javaOptions() {
        return service.path("javaOptions").textValue();
    }

    /** As {@code -XX:MaxRAM} takes it. */
    String memoryLimit() {
        String limit = service.at("/resources/limits/memory").textValue();
        if (!limit.endsWith("Mi")) {
            throw new AssertionError(limit + " is not in Mi");
        }
        return limit.substring(0, limit.length() - 1);
    }
}
