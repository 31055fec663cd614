package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** A response as it came, which no client library has decompressed. */
@SuppressWarnings("ArrayRecordComponent") // No two are compared.
public record RawResponse(int status, HttpHeaders headers, byte[] body) {

    /** Asserts the status and header fields, each {@code name: value}. */
    public RawResponse has(int expectedStatus, String... fields) {
        assertThat(status).as(text()).isEqualTo(expectedStatus);
        for (String field : fields) {
            String[] nameAndValue = field.split(": ", 2);
            assertThat(all(nameAndValue[0])).as(nameAndValue[0]).contains(nameAndValue[1]);
        }
        return this;
    }

    /** Asserts an error body that says nothing about the code. */
    public RawResponse isError(int expectedStatus, String code) {
        has(expectedStatus);
        assertThat(only("Content-Type")).startsWith("application/json");
        assertThat(only("X-Request-Id")).isNotBlank();
        JsonObject error = new JsonObject(text()).getJsonObject("error");
        assertThat(error.fieldNames()).containsOnly("code", "message");
        assertThat(error.getString("code")).isEqualTo(code);
        assertThat(error.getString("message")).isNotBlank();
        assertThat(text()).doesNotContain("Exception", "\tat ", "dev.oneshot");
        return this;
    }

    /** Asserts that the response has none of these header fields. */
    public RawResponse lacks(String... fields) {
        assertThat(headers.map()).doesNotContainKeys(fields);
        return this;
    }

    /** The values of a header field, in order. */
    public List<String> all(String field) {
        return headers.allValues(field);
    }

    /** The only value of a header field. */
    public String only(String field) {
        assertThat(all(field)).as(field).hasSize(1);
        return all(field).getFirst();
    }

    /** The body of a response with {@code Content-Encoding: gzip}. */
    public byte[] decompressed() {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
