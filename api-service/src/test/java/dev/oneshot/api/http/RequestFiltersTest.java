package dev.oneshot.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class RequestFiltersTest {

    private static final int BODY_BYTES_MAX = 48 * 1024 * 1024;

    private final TestAccount account = TestAccount.onPlan("scale");
    private final ObjectMapper json = new ObjectMapper();

    private void assertError(HttpResponse<byte[]> answer, int status, String code) throws Exception {
        String body = new String(answer.body(), UTF_8);
        assertThat(answer.statusCode()).as(body).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
        assertThat(answer.headers().firstValue("X-Request-Id")).isPresent();
        JsonNode error = json.readTree(body).path("error");
        assertThat(error.path("code").asText()).isEqualTo(code);
        assertThat(error.path("message").asText()).isNotBlank();
        assertThat(error.has("upgrade_url")).isFalse();
        assertThat(body).doesNotContain("Exception", "\tat ", "dev.oneshot");
    }

    /** Without the header field a cache may keep a 404 (RFC 9111 §4.2.2). */
    @Test
    void errorsAreNotCached() throws Exception {
        HttpResponse<byte[]> notFound = RawHttp.send(
                account.raw("/v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa").GET());

        assertError(notFound, 404, "NOT_FOUND");
        assertThat(notFound.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(notFound.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/addresses",
        "POST, /v1/addresses",
        "DELETE, /v1/addresses",
        "GET, /v1/addresses/x",
        "PUT, /v1/addresses/x",
        "GET, /v1/addresses/x/email/raw",
        "GET, /v1/nothing",
        "GET, /v1",
        "GET, /",
        "GET, //v1/addresses",
        "GET, /v1/../v1/addresses",
        "GET, /%76%31/addresses",
        "GET, /openapi/",
        "GET, /q/health",
        "GET, /q/metrics",
        "GET, /operator/accounts",
        "OPTIONS, /v1/addresses",
    })
    void withoutAKeyEverythingIsUnauthorized(String method, String path) throws Exception {
        HttpResponse<byte[]> answer =
                RawHttp.send(RawHttp.to(path).method(method, BodyPublishers.ofString("{not json")));

        assertError(answer, 401, "UNAUTHORIZED");
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
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
    void wrongCredentialsAreUnauthorized(String authorization) throws Exception {
        HttpResponse<byte[]> answer = RawHttp.send(RawHttp.to("/v1/addresses")
                .header("Authorization", authorization)
                .GET());

        assertError(answer, 401, "UNAUTHORIZED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER   "})
    void schemeIsMatchedWithoutRegardToCase(String scheme) throws Exception {
        HttpResponse<byte[]> answer = RawHttp.send(RawHttp.to("/v1/addresses")
                .header("Authorization", scheme + account.apiKey())
                .GET());

        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void twoAuthorizationHeadersAreUnauthorized() throws Exception {
        HttpResponse<byte[]> answer = RawHttp.send(
                account.raw("/v1/addresses").header("Authorization", "Bearer x").GET());

        assertError(answer, 401, "UNAUTHORIZED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1",
                "/v1/",
                "/v1/nothing",
                "/v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa/nothing",
                "/v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa/email/nothing",
                "/v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa/email/attachments",
                "/v2/addresses",
                "/",
                "/favicon.ico",
                "/q/health",
                "/operator/accounts",
                "//v1/addresses",
                "/%761/addresses",
                "/./v1/addresses",
                "/openapi/../v1/addresses",
                "/v1/../v1/addresses",
                "/v1//addresses",
                "/v1/addresses/%2e",
                "/v1/addresses/%2E%2e",
                "/v1/addresses/.",
                "/v1/addresses/x/..",
                "/v1/addresses/%2F",
                "/v1/addresses/%00",
                "/v1/addresses/%61aaaaaaaaaaaaaaaaaaaaaaa",
                "/v1/addresses;x=y",
                "/v1;x=y/addresses",
                "/v1/addresses/;x=y",
                "/v1/account;x=y",
                "/openapi;x=y",
            })
    void unknownPathIsNotFound(String path) throws Exception {
        assertError(RawHttp.send(account.raw(path).GET()), 404, "NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/addresses/%2e", "/v1/addresses/.", "/v1/addresses/x/%2e%2e", "/v1/addresses;x=y"})
    void detourToTheBulkDeletionDeletesNothing(String path) throws Exception {
        String id = account.create("{\"label\":\"kept\"}").path("id");

        assertError(RawHttp.send(account.raw(path + "?label=kept").DELETE()), 404, "NOT_FOUND");

        assertThat(RawHttp.send(account.raw("/v1/addresses/" + id).GET()).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {";x=y", ";", "%3Bx=y", "%2e", "/%2e", "/.", ";x=y/email", "/email;x=y", "/email/raw;x=y"})
    void pathOfAnAddressIsTakenAsItIsWritten(String suffix) throws Exception {
        String path = "/v1/addresses/" + account.waitingAddress(600);

        assertError(RawHttp.send(account.raw(path + suffix).GET()), 404, "NOT_FOUND");
        assertError(RawHttp.send(account.raw(path + suffix).DELETE()), 404, "NOT_FOUND");

        assertThat(RawHttp.send(account.raw(path).GET()).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /openapi, 'GET, HEAD, OPTIONS'",
        "POST, /openapi.json, 'GET, HEAD, OPTIONS'",
        "POST, /openapi.yaml, 'GET, HEAD, OPTIONS'",
        "POST, /openapi.yml, 'GET, HEAD, OPTIONS'",
        "PUT, /v1/addresses, 'DELETE, GET, HEAD, OPTIONS, POST'",
        "PATCH, /v1/addresses, 'DELETE, GET, HEAD, OPTIONS, POST'",
        "POST, /v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa, 'DELETE, GET, HEAD, OPTIONS'",
        "DELETE, /v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa/email, 'GET, HEAD, OPTIONS'",
        "POST, /v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa/email/raw, 'GET, HEAD, OPTIONS'",
    })
    void wrongMethodIsNotAllowedAndTellsWhatIs(String method, String path, String allow) throws Exception {
        HttpResponse<byte[]> answer = RawHttp.send(account.raw(path).method(method, BodyPublishers.noBody()));

        assertError(answer, 405, "METHOD_NOT_ALLOWED");
        assertThat(answer.headers().firstValue("Allow")).contains(allow);
    }

    @Test
    void corsIsOff() throws Exception {
        HttpResponse<byte[]> preflight = RawHttp.send(RawHttp.to("/v1/addresses")
                .header("Origin", "https://app.example.com")
                .header("Access-Control-Request-Method", "GET")
                .method("OPTIONS", BodyPublishers.noBody()));
        HttpResponse<byte[]> list = RawHttp.send(account.raw("/v1/addresses")
                .header("Origin", "https://app.example.com")
                .GET());

        assertError(preflight, 401, "UNAUTHORIZED");
        assertThat(list.statusCode()).isEqualTo(200);
        assertThat(list.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/plain | {} | 415",
                "application/xml | {} | 415",
                "application/x-www-form-urlencoded | {} | 415",
                "nonsense | {} | 415",
                "*/*;q | {} | 415",
                "| {} | 415",
                "| | 201",
                "application/json | {} | 201",
                "application/json; charset=utf-8 | {} | 201",
                "APPLICATION/JSON | {} | 201"
            })
    void aBodyIsJsonHoweverThatIsWritten(@Nullable String contentType, @Nullable String body, int status)
            throws Exception {
        HttpRequest.Builder request = account.raw("/v1/addresses")
                .POST(body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (contentType != null) {
            request.header("Content-Type", contentType);
        }

        HttpResponse<byte[]> answer = RawHttp.send(request);

        if (status == 201) {
            assertThat(answer.statusCode()).isEqualTo(201);
        } else {
            assertError(answer, status, "UNSUPPORTED_MEDIA_TYPE");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html | 406",
                "application/xml | 406",
                "image/* | 406",
                "nonsense | 406",
                "'' | 200",
                "*/* | 200",
                "application/json | 200",
                "text/html, */*;q=0.1 | 200",
                "text/html;q=0, application/* | 200"
            })
    void jsonIsSentToThoseWhoAcceptIt(String accept, int status) throws Exception {
        HttpResponse<byte[]> answer = RawHttp.send(
                account.raw("/v1/addresses").header("Accept", accept).GET());

        if (status == 200) {
            assertThat(answer.statusCode()).isEqualTo(200);
        } else {
            assertError(answer, 406, "NOT_ACCEPTABLE");
        }
    }

    @Test
    void whatIsNotWantedIsNotDone() throws Exception {
        HttpResponse<byte[]> answer = RawHttp.send(
                account.raw("/v1/addresses").header("Accept", "text/html").POST(BodyPublishers.noBody()));

        assertError(answer, 406, "NOT_ACCEPTABLE");
        assertThat(account.request().get("/v1/account").<Integer>path("used")).isZero();
    }

    @Test
    void declaredBodyOverTheCapIsTooLargeBeforeItIsSent() throws Exception {
        String answer = RawHttp.exchange("POST /v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + (BODY_BYTES_MAX + 1) + "\r\nAuthorization: Bearer " + account.apiKey()
                + "\r\n\r\n{");

        assertThat(answer)
                .startsWith("HTTP/1.1 413 ")
                .contains("PAYLOAD_TOO_LARGE", "the body must have at most " + BODY_BYTES_MAX + " bytes");
    }

    @Test
    void bodyOverTheCapIsTooLargeAlsoToAClientThatSendsItAllFirst() throws Exception {
        byte[] body = new byte[BODY_BYTES_MAX + 1];
        Arrays.fill(body, (byte) ' ');

        HttpResponse<byte[]> declared = RawHttp.send(account.raw("/v1/addresses")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body)));
        HttpResponse<byte[]> chunked = RawHttp.send(account.raw("/v1/addresses")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));

        assertError(declared, 413, "PAYLOAD_TOO_LARGE");
        assertError(chunked, 413, "PAYLOAD_TOO_LARGE");
    }

    @Test
    void bodyAtTheCapIsRead() throws Exception {
        byte[] body = new byte[BODY_BYTES_MAX];
        Arrays.fill(body, (byte) ' ');
        body[0] = '{';
        body[BODY_BYTES_MAX - 1] = '}';

        HttpResponse<byte[]> answer = RawHttp.send(account.raw("/v1/addresses")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body)));

        assertThat(answer.statusCode()).isEqualTo(201);
    }

    @Test
    void requestIdIsTheCallersIfSane() throws Exception {
        String longest = "x".repeat(128);
        for (String sane : List.of("abc-123", "!~", longest)) {
            HttpResponse<byte[]> answer = RawHttp.send(
                    account.raw("/v1/addresses").header("X-Request-Id", sane).GET());
            assertThat(answer.headers().allValues("X-Request-Id")).containsExactly(sane);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\tb"})
    void requestIdIsOursOtherwise(String insane) throws Exception {
        for (String sent : List.of(insane, "x".repeat(129))) {
            HttpResponse<byte[]> answer = RawHttp.send(
                    account.raw("/v1/addresses").header("X-Request-Id", sent).GET());
            assertThat(answer.headers().allValues("X-Request-Id"))
                    .singleElement()
                    .satisfies(id -> assertThat(id).matches("[0-9a-f]{32}"));
        }
    }
}
