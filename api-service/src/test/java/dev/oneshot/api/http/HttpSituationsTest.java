package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Requests that are unusual, or wrong, in ways that RFC 9110 and RFC 9112 settle. */
@ServiceTest
class HttpSituationsTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    /**
     * The file has a request a line, its lines ended by {@code ^}, with {@code KEY} for the field Authorization, the version and
     * status of the response, and a text that it has. A response to HEAD has no body.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "/http/situations.txt", delimiter = '|', quoteCharacter = '~')
    void requestHasItsResponse(String request, String start, String text) throws IOException {
        String response = RawHttp.exchange(request.replace("KEY", "Authorization: Bearer " + account.apiKey())
                .replace("^", "\r\n")
                .replace("BOM", "\u00ef\u00bb\u00bf"));

        assertThat(response)
                .startsWith("HTTP/" + start + " ")
                .contains(text)
                .containsIgnoringCase("\r\nX-Request-Id: ");
        if (request.startsWith("HEAD")) {
            assertThat(response).endsWith("\r\n\r\n");
        }
    }

    @Test
    void tagsAreComparedWeaklyInListsAndFields() {
        for (String path : new String[] {"/console/", "/v1/addresses/" + account.created("{}")}) {
            String tag = account.send("GET", path).has(200).only("ETag");
            String opaque = tag.substring(tag.indexOf('"'));

            for (String field : new String[] {tag, opaque, "W/" + opaque, "\"a,b\", W/" + opaque + " ,\"c\"", "*"}) {
                account.send("GET", path, "If-None-Match: " + field).has(304, "ETag: " + tag);
            }
            account.send("GET", path, "If-None-Match: \"x\"", "If-None-Match: " + opaque)
                    .has(304);
            account.send("GET", path, "If-None-Match: \"x\"").has(200);
            account.send("HEAD", path, "If-None-Match: " + tag).has(304);
        }
    }
}
