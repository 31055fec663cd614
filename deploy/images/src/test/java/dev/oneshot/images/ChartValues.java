package dev.oneshot.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;

/** The chart's defaults for the JVM of a service. */
record ChartValues(JsonNode service) {

    private static final Path FILE = Path.of("../helm/oneshot/values.yaml");

    /** The values of a service by its name in the chart. */
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

    /** The limit as {@code -XX:MaxRAM} takes it. */
    String memoryLimit() {
        String limit = service.at("/resources/limits/memory").textValue();
        if (!limit.endsWith("Mi")) {
            throw new AssertionError(limit + " is not in Mi");
        }
        return limit.substring(0, limit.length() - 1);
    }
}
