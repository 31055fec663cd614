package dev.oneshot.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class RequestFiltersTest {

    private static final int BODY_BYTES_MAX = 48 * 1024 * 1024;
    private static final String UNKNOWN = "/v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa";

    private final TestAccount account = TestAccount.onPlan("scale");

    /** Without the header field a cache may keep a 404 (RFC 9111 §4.2.2). */
    @Test
    void errorsAreNotCached() {
        account.send("GET", UNKNOWN)
                .isError(404, "NOT_FOUND")
                .has(404, "Cache-Control: no-store", "X-Content-Type-Options: nosniff");
    }

    /** Besides the paths of OrderOfChecksTest. */
    @ParameterizedTest
    @CsvFileSource(resources = "/http/paths-that-need-a-key.txt", delimiter = '|', quoteCharacter = '`')
    void withoutAKeyEverythingIsUnauthorized(String path) {
        RawHttp.send("GET", path).isError(401, "UNAUTHORIZED").has(401, "WWW-Authenticate: Bearer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Basic dTpw",
                "Bearer oneshot_",
                "Bearer oneshot_0000000000000000000000000000000000000000",
                "Bearer oneshot_000000000000000000000000000000000000000\u00e9",
                "oneshot_0000000000000000000000000000000000000000",
            })
    void wrongCredentialsAreUnauthorized(String authorization) {
        RawHttp.send("GET", "/v1/addresses", "Authorization: " + authorization).isError(401, "UNAUTHORIZED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER   "})
    void schemeIsMatchedWithoutRegardToCase(String scheme) {
        RawHttp.send("GET", "/v1/addresses", "Authorization: " + scheme + account.apiKey())
                .has(200);
    }

    @Test
    void twoAuthorizationHeadersAreUnauthorized() {
        account.send("GET", "/v1/addresses", "Authorization: Bearer x").isError(401, "UNAUTHORIZED");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/http/unknown-paths.txt")
    void unknownPathIsNotFound(String path) {
        account.send("GET", path).isError(404, "NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/addresses/%2e", "/v1/addresses/.", "/v1/addresses/x/%2e%2e", "/v1/addresses;x=y"})
    void detourToTheBulkDeletionDeletesNothing(String path) {
        String id = account.labelledAddress("kept");

        account.send("DELETE", path + "?label=kept").isError(404, "NOT_FOUND");

        account.get(id).then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {";x=y", ";", "%3Bx=y", "%2e", "/%2e", "/.", ";x=y/email", "/email;x=y", "/email/raw;x=y"})
    void pathOfAnAddressIsTakenAsItIsWritten(String suffix) {
        String id = account.waitingAddress(600);

        account.send("GET", "/v1/addresses/" + id + suffix).isError(404, "NOT_FOUND");
        account.send("DELETE", "/v1/addresses/" + id + suffix).isError(404, "NOT_FOUND");

        account.get(id).then().statusCode(200);
    }

    /** OfferedPathTest compares the methods of all paths with the resources. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | /openapi | GET, HEAD, OPTIONS",
                "PATCH | /v1/addresses | DELETE, GET, HEAD, OPTIONS, POST",
                "POST | /v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa | DELETE, GET, HEAD, OPTIONS",
                "DELETE | /v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa/email | GET, HEAD, OPTIONS"
            })
    void wrongMethodIsNotAllowedAndTellsWhatIs(String method, String path, String allow) {
        account.send(method, path).isError(405, "METHOD_NOT_ALLOWED").has(405, "Allow: " + allow);
    }

    @Test
    void corsIsOff() {
        String origin = "https://app.example.com";

        RawHttp.send("OPTIONS", "/v1/addresses", "Origin: " + origin, "Access-Control-Request-Method: GET")
                .isError(401, "UNAUTHORIZED");
        account.send("GET", "/v1/addresses", "Origin: " + origin).has(200).lacks("Access-Control-Allow-Origin");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/http/content-types.txt", delimiter = '|', quoteCharacter = '`')
    void aBodyIsJsonHoweverThatIsWritten(@Nullable String contentType, @Nullable String body, int status) {
        String[] fields = contentType == null ? new String[0] : new String[] {"Content-Type: " + contentType};

        RawResponse response =
                account.send("POST", "/v1/addresses", BodyPublishers.ofString(Objects.toString(body, "")), fields);

        assertServed(response, status, "UNSUPPORTED_MEDIA_TYPE");
    }

    @ParameterizedTest
    @CsvSource({"application/json, text/plain", "text/plain, application/json"})
    void bodyOfTwoTypesIsRefused(String first, String second) {
        account.send(
                        "POST",
                        "/v1/addresses",
                        BodyPublishers.ofString("{}"),
                        "Content-Type: " + first,
                        "Content-Type: " + second)
                .isError(415, "UNSUPPORTED_MEDIA_TYPE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "TE, close", "Close , Upgrade"})
    void connectionIsClosedAfterTheResponseIfTheClientAsksForIt(String options) throws IOException {
        assertThat(RawHttp.exchange("GET /openapi HTTP/1.1\r\nHost: x\r\nConnection: " + options + "\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .containsIgnoringCase("\r\nConnection: close\r\n");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/http/accepted-types.txt", delimiter = '|', quoteCharacter = '`')
    void jsonIsSentToThoseWhoAcceptIt(String accept, int status) {
        assertServed(account.send("GET", "/v1/addresses", "Accept: " + accept), status, "NOT_ACCEPTABLE");
    }

    private static void assertServed(RawResponse response, int status, String codeOfError) {
        if (status < 400) {
            response.has(status);
        } else {
            response.isError(status, codeOfError);
        }
    }

    @Test
    void whatIsNotWantedIsNotDone() {
        account.send("POST", "/v1/addresses", "Accept: text/html").isError(406, "NOT_ACCEPTABLE");
        account.send("POST", "/v1/addresses", "Accept: application/json;q=0").isError(406, "NOT_ACCEPTABLE");

        account.assertUsed(0);
    }

    @Test
    void aDeletionHasNoContentToAccept() {
        String id = account.create("{}").path("id");

        account.send("DELETE", "/v1/addresses/" + id, "Accept: text/plain, application/json;q=0")
                .has(204);
        account.send("DELETE", "/v1/addresses/" + id, "Accept: text/plain").isError(404, "NOT_FOUND");
        account.send("DELETE", "/v1/addresses?label=x", "Accept: text/plain").has(204);
    }

    @Test
    void bodyOverTheCapIsTooLargeAlsoToAClientThatSendsItAllFirst() {
        byte[] body = object(BODY_BYTES_MAX + 1);

        create(BodyPublishers.ofByteArray(body)).isError(413, "PAYLOAD_TOO_LARGE");
        // Without a length it is not read beyond the plan's bound.
        create(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                .isError(422, "VALIDATION_ERROR");
    }

    private RawResponse create(BodyPublisher body) {
        return account.send("POST", "/v1/addresses", body, RawHttp.JSON);
    }

    /** An empty JSON object of this size. */
    private static byte[] object(int bytes) {
        return ("{" + " ".repeat(bytes - 2) + "}").getBytes(UTF_8);
    }

    @Test
    void requestIdIsTheCallersIfSane() {
        for (String sane : List.of("abc-123", "!~", "x".repeat(128))) {
            assertThat(account.send("GET", "/v1/addresses", "X-Request-Id: " + sane)
                            .only("X-Request-Id"))
                    .isEqualTo(sane);
        }
    }

    @Test
    void requestIdIsOursOtherwise() {
        for (String insane : List.of("", "a b", "a\tb", "x".repeat(129))) {
            assertThat(account.send("GET", "/v1/addresses", "X-Request-Id: " + insane)
                            .only("X-Request-Id"))
                    .matches("[0-9a-f]{32}");
        }
    }
}
