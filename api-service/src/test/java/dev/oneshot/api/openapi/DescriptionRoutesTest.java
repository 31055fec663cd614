package dev.oneshot.api.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The paths and formats of the description. */
@ServiceTest
class DescriptionRoutesTest {

    private static final String JSON = "application/json;charset=UTF-8";
    private static final String YAML = "application/yaml;charset=UTF-8";

    private final TestAccount account = TestAccount.onPlan("scale");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/openapi | | YAML",
                "/openapi?format=yaml | | YAML",
                "/openapi?format=xml | | YAML",
                "/openapi?format=yaml&format=json | | YAML",
                "/openapi?format=json | text/html | JSON",
                "/openapi?format=JSON&format=yaml | text/html | JSON",
                "/openapi?format=yaml | application/json | JSON",
                "/openapi?format=yaml | text/html, Application/JSON;q=0.5 | JSON",
                "/openapi?format=yaml | application/yaml, application/json | JSON",
                "/openapi | */* | YAML",
                "/openapi | application/* | YAML",
                "/openapi | application/yaml | YAML",
                "/openapi | text/html,application/xhtml+xml,*/*;q=0.8 | YAML",
                "/openapi | text/html | YAML",
                "/openapi | application/json;q=0 | YAML",
                "/openapi.json?format=yaml | application/yaml | JSON",
                "/openapi.yaml?format=json | application/json | YAML",
                "/openapi.yml?format=json | application/json | YAML"
            })
    void itsFormIsChosenByExtensionParameterAndAccept(String path, @Nullable String accept, String form)
            throws Exception {
        HttpRequest.Builder request = path.startsWith("/openapi.") ? account.raw(path) : RawHttp.to(path);
        if (accept != null) {
            request.header("Accept", accept);
        }

        HttpResponse<byte[]> answer = RawHttp.send(request.GET());

        boolean json = form.equals("JSON");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().allValues("Content-Type")).containsExactly(json ? JSON : YAML);
        assertThat(answer.headers().firstValue("X-Request-Id")).isPresent();
        assertThat(new String(answer.body(), UTF_8))
                .startsWith(json ? "{\n  \"openapi\" : \"3.1.0\"" : "---\nopenapi: 3.1.0")
                .contains("/addresses/{id}/email/raw");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi.json", "/openapi.yaml", "/openapi.yml"})
    void pathsWithAnExtensionNeedAKey(String path) throws Exception {
        assertThat(RawHttp.send(RawHttp.to(path).GET()).statusCode()).isEqualTo(401);
    }

    @Test
    void bothFormsSayTheSame() throws Exception {
        JsonNode json = new ObjectMapper()
                .readTree(RawHttp.send(RawHttp.to("/openapi?format=json").GET()).body());
        JsonNode yaml = new YAMLMapper()
                .readTree(RawHttp.send(RawHttp.to("/openapi").GET()).body());

        assertThat(yaml).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource({"/openapi, " + YAML, "/openapi?format=json, " + JSON, "/openapi.json, " + JSON})
    void headTellsTypeAndLength(String path, String type) throws Exception {
        HttpResponse<byte[]> get = RawHttp.send(account.raw(path).GET());

        HttpResponse<byte[]> head = RawHttp.send(account.raw(path).method("HEAD", BodyPublishers.noBody()));

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Type")).contains(type);
        assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(get.body().length);
        assertThat(head.body()).isEmpty();
    }
}
