package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** What values do to the objects: a field by its path, or an environment variable by its name. */
class RenderedValuesTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/rendered-values.txt", delimiter = '|')
    void valueIsRendered(
            String set, String values, String object, String field, String expected, @TempDir Path directory) {
        Manifests manifests = Chart.install(Chart.with(set, values, directory));

        String[] words = object.split(" ", -1);
        ObjectNode found = manifests.only(words[0], words[1]);
        String rendered = field.startsWith("/")
                ? text(found.at(field))
                : manifests.environmentOf(found).getOrDefault(field, "none");
        assertThat(rendered).isEqualTo(expected);
    }

    private static String text(JsonNode node) {
        return node.isMissingNode() ? "none" : node.asText();
    }
}
