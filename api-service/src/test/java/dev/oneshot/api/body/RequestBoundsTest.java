package dev.oneshot.api.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.testing.Together;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Request lines and headers that no client library would send. */
@ServiceTest
class RequestBoundsTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    @ParameterizedTest
    @CsvFileSource(resources = "/http/no-uris.txt", delimiter = '|', quoteCharacter = '`')
    void invalidUriIsRefusedWithAnErrorBody(String target) throws IOException {
        assertThat(account.exchange("GET " + target + " HTTP/1.1"))
                .startsWith("HTTP/1.1 400 ")
                .contains("{\"error\":{\"code\":\"VALIDATION_ERROR\",\"message\":\"path and query must be a URI\"}}")
                .containsIgnoringCase("\r\nX-Request-Id: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%ff", "%c3", "%ed%a0%80", "a%c3&x=%a9"})
    void queryThatIsNoUtf8IsRefusedAndDeletesNothing(String value) throws IOException {
        String id = account.created("{\"label\":\"\\ufffd\"}");

        assertThat(account.exchange("DELETE /v1/addresses?label=" + value + " HTTP/1.1"))
                .startsWith("HTTP/1.1 400 ")
                .contains("the query is malformed: it must be percent-encoded UTF-8");

        account.get(id).then().statusCode(200);
        assertThat(account.exchange("DELETE /v1/addresses?label=%EF%BF%BD HTTP/1.1"))
                .startsWith("HTTP/1.1 204 ");
        account.get(id).then().statusCode(404);
    }

    /**
     * The bytes after an unknown coding are not read as a request. The requests run at once, because each connection stays
     * open for a while.
     */
    @Test
    void codingsBesidesChunkedAreRefused() {
        List<String> unknown = List.of("gzip", "identity", "xchunked", "chunked;x=1", "");
        List<String> several = List.of("gzip, chunked", "chunked, chunked", "chunked\r\nTransfer-Encoding: gzip");
        String next = "GET /v1/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + account.apiKey() + "\r\n\r\n";

        List<String> responses = Together.each(unknown, coding -> encoded(coding, next));
        responses.addAll(Together.each(several, coding -> encoded(coding, "2\r\n{}\r\n0\r\n\r\n")));

        // Netty rejects most of them as bad framing.
        assertThat(responses).allSatisfy(response -> assertThat(response).containsOnlyOnce("HTTP/1.1 "));
        assertThat(responses)
                .filteredOn(response -> !response.startsWith("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n"))
                .allSatisfy(response -> assertThat(response)
                        .startsWith("HTTP/1.1 501 ")
                        .contains("NOT_IMPLEMENTED", "Transfer-Encoding must be chunked, or not be given")
                        .containsIgnoringCase("\r\nConnection: close\r\n")
                        .containsIgnoringCase("\r\nX-Request-Id: "));
    }

    private String encoded(String coding, String body) throws IOException {
        return RawHttp.exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer " + account.apiKey() + "\r\nTransfer-Encoding: " + coding + "\r\n\r\n"
                + body);
    }

    @Test
    void targetIsBounded() throws IOException {
        String path = "/v1/account?x=";

        assertThat(account.exchange("GET " + path + "a".repeat(8_000 - path.length()) + " HTTP/1.1"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(account.exchange("GET " + path + "a".repeat(8_001 - path.length()) + " HTTP/1.1"))
                .startsWith("HTTP/1.1 414 ")
                .contains("URI_TOO_LONG", "path and query must have at most 8000 bytes");
    }

    @Test
    void headerIsBounded() throws IOException {
        // Host, Connection, Content-Type, Authorization and X have 4 bytes each besides name and value.
        int others = "HostxConnectioncloseContent-Typeapplication/jsonAuthorizationBearer ".length()
                + account.apiKey().length()
                + "X".length()
                + 5 * 4;

        assertThat(account.exchange("GET /v1/addresses HTTP/1.1\r\nX: " + "a".repeat(16_384 - others)))
                .startsWith("HTTP/1.1 200 ");
        assertThat(account.exchange("GET /v1/addresses HTTP/1.1\r\nX: " + "a".repeat(16_385 - others)))
                .startsWith("HTTP/1.1 431 ")
                .contains("HEADER_TOO_LARGE", "the header must have at most 16384 bytes");
    }
}
