package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An invalid value is rejected before anything is installed, with a message that names it. */
class ValuesSchemaTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/refused-values.txt", delimiter = '|')
    void badValueIsRefusedByName(String set, String values, String message, @TempDir Path directory) {
        // Given
        Path file = Chart.with(set, values, directory);

        // Then
        assertThatThrownBy(() -> Chart.install(file)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/accepted-values.txt", delimiter = '|')
    void valueAtTheEdgeIsTaken(String values, @TempDir Path directory) {
        assertThat(Chart.install(Chart.smallestWith(values, directory)).workloads())
                .hasSizeGreaterThanOrEqualTo(3);
    }

    /** Helm allows release names that a Service cannot have. */
    @ParameterizedTest
    @ValueSource(strings = {"1post", "post.mail"})
    void releaseThatAServiceCannotBeNamedAfterIsRefused(String release, @TempDir Path directory) throws IOException {
        try (KubernetesApi api = new KubernetesApi()) {
            assertThatThrownBy(() -> Chart.install(api, release, Chart.valueSet("smallest")))
                    .hasMessageContaining("set fullnameOverride");

            Chart.install(api, release, Chart.smallestWith("{fullnameOverride: post}", directory));
            assertThat(api.find("Service", "post-api")).isNotNull();
        }
    }

    @Test
    void schemaKnowsEveryValueAndNothingElse() {
        // Given
        JsonNode schema = Yaml.read(Chart.DIRECTORY.resolve("values.schema.json"));
        ObjectNode values = Yaml.read(Chart.DIRECTORY.resolve("values.yaml"));

        // Then
        List<String> differences = new ArrayList<>();
        compare(values, schema, schema, "", differences);
        assertThat(differences).isEmpty();
    }

    /** Skips objects whose keys the user chooses. */
    private static void compare(
            ObjectNode values, JsonNode schema, JsonNode root, String path, List<String> differences) {
        JsonNode here =
                schema.has("$ref") ? root.at(schema.path("$ref").asText().substring(1)) : schema;
        if (!here.has("properties")) {
            return;
        }
        values.fieldNames().forEachRemaining(name -> {
            if (!here.path("properties").has(name)) {
                differences.add("not in the schema: " + path + name);
            } else if (values.get(name) instanceof ObjectNode nested) {
                compare(nested, here.path("properties").get(name), root, path + name + ".", differences);
            }
        });
        here.path("properties").fieldNames().forEachRemaining(name -> {
            boolean optional = name.equals("global") || path.endsWith("requests.") || path.endsWith("limits.");
            if (!values.has(name) && !optional) {
                differences.add("not in values.yaml: " + path + name);
            }
        });
    }
}
