package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.testing.Together;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** 401, then 429, then 400, then 404 or 410, then 422, then 402, at every endpoint. */
@ServiceTest
class OrderOfChecksTest {

    /** Each of these requests fails as many checks as possible. */
    @ParameterizedTest
    @CsvFileSource(resources = "/http/endpoints.txt", delimiter = '|', quoteCharacter = '`')
    void withoutAKeyNothingElseIsLookedAt(String method, String path, String body) {
        send(RestAssured.given(), method, path, body).then().statusCode(401);
        send(RestAssured.given().header("Authorization", "Bearer nonsense"), method, path, body)
                .then()
                .statusCode(401);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/http/endpoints.txt", delimiter = '|', quoteCharacter = '`')
    void requestsAboveTheRateGet429BeforeOtherChecks(String method, String path, String body, int otherwise) {
        TestAccount account = TestAccount.onPlan("free");

        List<Integer> statuses = Together.until(
                status -> status == 429,
                30,
                () -> send(account.request(), method, path, body).statusCode());

        assertThat(statuses).containsOnly(429, otherwise);
    }

    private static Response send(RequestSpecification request, String method, String path, String body) {
        return (body.isEmpty() ? request : request.contentType(ContentType.JSON).body(body)).request(method, path);
    }

    /** Pairs of errors in an authenticated request; the response has the first. */
    @ParameterizedTest
    @CsvFileSource(resources = "/http/clashes.txt", delimiter = '|', quoteCharacter = '`')
    void responseIsAboutTheFirstOfTwoFaults(String method, String target, String body, int status) throws IOException {
        TestAccount account = TestAccount.onPlan("free");
        account.use(100);
        String line = method + " " + target.replace("LONG", "x".repeat(8_000)) + " HTTP/1.1";

        String response = account.exchange(line + "\r\nContent-Length: " + body.length(), body);

        assertThat(response)
                .startsWith("HTTP/1.1 " + status + " ")
                .containsIgnoringCase("\r\nX-Request-Id: ")
                .containsIgnoringCase("\r\nRateLimit: ")
                .contains("{\"error\":{\"code\":\"");
    }

    @Test
    void usedIdempotencyKeyIsCheckedBeforeTheQuota() {
        TestAccount account = TestAccount.onPlan("free");
        account.createOnce("k", "{}").then().statusCode(201);
        account.use(100);

        account.createOnce("k", "{\"ttl_seconds\":59}").then().statusCode(400);
        account.createOnce("k", "{\"ttl_seconds\":600}").then().statusCode(422);
        account.createOnce("k", "{}").then().statusCode(201);
    }
}
