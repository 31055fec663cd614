package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each {@code fixtures/*.eml} has the exact octets of a message, the {@code .json} of the same name the expected
 * result. Absent keys are not checked. Every bug becomes such a pair.
 */
class FixtureTest {

    private static final ObjectMapper JSON =
            new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

    @Test
    void allFixturesAreFound() throws IOException {
        assertThat(Fixtures.names()).hasSizeGreaterThan(150);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("dev.oneshot.message.Fixtures#names")
    void fixtureIsReadAsItsAuthorMeantIt(String name) throws IOException {
        // Given
        byte[] octets = Fixtures.octets(name);
        JsonNode expected =
                JSON.readTree(Fixtures.FOLDER.resolve(name + ".json").toFile());

        // When
        ReadMessage read = ReadMessage.of(octets);

        // Then
        assertThat(expected.size()).as("expectations of %s", name).isPositive();
        assertThat(read.structure().complete()).isTrue();
        expected.fieldNames().forEachRemaining(key -> check(key, expected.path(key), read));
    }

    private static void check(String key, JsonNode expected, ReadMessage read) {
        switch (key) {
            case "from" -> assertThat(read.structure().from()).as(key).isEqualTo(expected.asText());
            case "subject" -> assertThat(read.structure().subject()).as(key).isEqualTo(expected.asText());
            case "text" -> assertThat(read.text()).as(key).isEqualTo(expected.asText());
            case "html" -> assertThat(read.html()).as(key).isEqualTo(expected.asText());
            case "attachments" ->
                assertThat(read.attachments())
                        .as(key)
                        .containsExactly(JSON.convertValue(expected, ReadMessage.File[].class));
            case "headers" -> headers(expected, read);
            case "header_list" ->
                assertThat(read.structure().headers())
                        .as(key)
                        .extracting(field -> List.of(field.name(), field.value()))
                        .isEqualTo(JSON.convertValue(expected, new TypeReference<List<List<String>>>() {}));
            default -> throw new IllegalArgumentException("unknown expectation " + key);
        }
    }

    private static void headers(JsonNode expected, ReadMessage read) {
        List<HeaderField> found = read.structure().headers();
        if (expected.isEmpty()) {
            assertThat(found).isEmpty();
        }
        expected.properties()
                .forEach(field -> assertThat(found)
                        .contains(
                                new HeaderField(field.getKey(), field.getValue().asText())));
    }
}
