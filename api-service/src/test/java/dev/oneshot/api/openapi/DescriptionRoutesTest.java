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
    @ValueSource(
            strings = {"/openapi", "/openapi?format=yaml", "/openapi?format=xml", "/openapi?format=yaml&format=json"})
    void itIsYamlUnlessJsonIsAskedFor(String path) throws Exception {
        assertYaml(RawHttp.send(RawHttp.to(path).GET()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi?format=json", "/openapi?format=JSON&format=yaml"})
    void itIsJsonIfTheParameterSaysSo(String path) throws Exception {
        assertJson(RawHttp.send(RawHttp.to(path).header("Accept", "text/html").GET()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/json", "text/html, Application/JSON;q=0.5", "application/yaml, application/json"})
    void itIsJsonIfAcceptNamesThat(String accept) throws Exception {
        assertJson(RawHttp.send(
                RawHttp.to("/openapi?format=yaml").header("Accept", accept).GET()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*/*",
                "application/*",
                "application/yaml",
                "text/html,application/xhtml+xml,*/*;q=0.8",
                "text/html",
                "application/json;q=0"
            })
    void itIsYamlWhateverElseAcceptSays(String accept) throws Exception {
        assertYaml(RawHttp.send(RawHttp.to("/openapi").header("Accept", accept).GET()));
    }

    @Test
    void pathsWithAnExtensionDecideAlone() throws Exception {
        assertJson(RawHttp.send(authorized("/openapi.json?format=yaml")
                .header("Accept", "application/yaml")
                .GET()));
        assertYaml(RawHttp.send(authorized("/openapi.yaml?format=json")
                .header("Accept", "application/json")
                .GET()));
        assertYaml(RawHttp.send(authorized("/openapi.yml?format=json")
                .header("Accept", "application/json")
                .GET()));
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
        HttpResponse<byte[]> get = RawHttp.send(authorized(path).GET());

        HttpResponse<byte[]> head = RawHttp.send(authorized(path).method("HEAD", BodyPublishers.noBody()));

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Type")).contains(type);
        assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(get.body().length);
        assertThat(head.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi", "/openapi.json", "/openapi.yaml", "/openapi.yml"})
    void otherMethodsAreNotAllowedAndOptionsTellsWhichAre(String path) throws Exception {
        HttpResponse<byte[]> options = RawHttp.send(authorized(path).method("OPTIONS", BodyPublishers.noBody()));
        HttpResponse<byte[]> refused = RawHttp.send(authorized(path).POST(BodyPublishers.ofString("{}")));

        assertThat(options.statusCode()).isEqualTo(204);
        assertThat(options.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
        assertThat(new String(refused.body(), UTF_8)).contains("\"METHOD_NOT_ALLOWED\"");
    }

    private HttpRequest.Builder authorized(String path) {
        return RawHttp.to(path).header("Authorization", "Bearer " + account.apiKey());
    }

    private static void assertJson(HttpResponse<byte[]> answer) {
        assertDescription(answer, JSON, "{\n  \"openapi\" : \"3.1.0\"");
    }

    private static void assertYaml(HttpResponse<byte[]> answer) {
        assertDescription(answer, YAML, "---\nopenapi: 3.1.0");
    }

    private static void assertDescription(HttpResponse<byte[]> answer, String type, String start) {
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().allValues("Content-Type")).containsExactly(type);
        assertThat(answer.headers().firstValue("X-Request-Id")).isPresent();
        assertThat(new String(answer.body(), UTF_8)).startsWith(start).contains("/addresses/{id}/email/raw");
    }
}
