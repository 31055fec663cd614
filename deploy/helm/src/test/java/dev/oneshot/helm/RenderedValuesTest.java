package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** What values do to the objects, which stay valid: fields by their path, or an environment variable by its name. */
class RenderedValuesTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/rendered-values.txt", delimiter = '|')
    void valueIsRendered(
            String sets, String values, String title, String field, String expected, @TempDir Path directory) {
        for (String set : sets.split(" ", -1)) {
            Manifests manifests = Chart.install(Chart.with(set, values, directory));
            assertThat(ModelTest.errors(manifests)).isEmpty();

            if (expected.equals("absent")) {
                assertThat(manifests.titled(title)).isEmpty();
                continue;
            }
            assertThat(manifests.titled(title)).isNotEmpty().allSatisfy(object -> {
                String rendered = rendered(manifests, object, field);
                if (expected.equals("anything")) {
                    assertThat(rendered).isNotEqualTo("none");
                } else {
                    assertThat(rendered).isEqualTo(expected);
                }
            });
        }
    }

    private static String rendered(Manifests manifests, JsonNode object, String field) {
        if (!field.startsWith("/")) {
            return manifests.environmentOf(object).getOrDefault(field, "none");
        }
        List<String> texts = Manifests.texts(object, field);
        return texts.isEmpty() ? "none" : String.join(" ", texts);
    }
}
