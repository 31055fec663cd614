package dev.oneshot.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** The paths and formats of the description. */
@ServiceTest
class DescriptionRoutesTest {

    private static final String JSON = "application/json;charset=UTF-8";
    private static final String YAML = "application/yaml;charset=UTF-8";

    @ParameterizedTest
    @CsvFileSource(resources = "/openapi/forms.txt", delimiter = '|')
    void itsFormIsChosenByParameterAndAccept(String path, @Nullable String accept, String form) {
        String[] fields = accept == null ? new String[0] : new String[] {"Accept: " + accept};

        RawResponse response = RawHttp.send("GET", path, fields);

        boolean json = form.equals("JSON");
        response.has(200, "Content-Type: " + (json ? JSON : YAML));
        assertThat(response.only("X-Request-Id")).isNotBlank();
        assertThat(response.text())
                .startsWith(json ? "{\n  \"openapi\" : \"3.1.0\"" : "---\nopenapi: 3.1.0")
                .contains("/addresses/{id}/email/raw");
    }

    @Test
    void bothFormsSayTheSame() throws IOException {
        JsonNode json = new ObjectMapper()
                .readTree(RawHttp.send("GET", "/openapi?format=json").body());
        JsonNode yaml =
                new YAMLMapper().readTree(RawHttp.send("GET", "/openapi").body());

        assertThat(yaml).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource({"/openapi, " + YAML, "/openapi?format=json, " + JSON})
    void headTellsTypeAndLength(String path, String type) {
        RawResponse get = RawHttp.send("GET", path);

        RawResponse head =
                RawHttp.send("HEAD", path).has(200, "Content-Type: " + type, "Content-Length: " + get.body().length);

        assertThat(head.body()).isEmpty();
    }
}
