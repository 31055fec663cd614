package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.oneshot.testing.Together;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** 401, then 429, then 400, then 404 or 410, then 422, then 402, at every endpoint. */
@ServiceTest
class OrderOfChecksTest {

    private static final String UNKNOWN = "aaaaaaaaaaaaaaaaaaaaaaaa";

    /**
     * An endpoint with a request that fails as many checks as possible; {@code otherwise} is the status after
     * authentication and rate limit.
     */
    record Endpoint(String method, String path, String body, int otherwise) {

        Response ask(RequestSpecification request) {
            RequestSpecification asked = body.isEmpty()
                    ? request
                    : request.contentType(ContentType.JSON).body(body);
            return asked.request(method, path);
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    static Stream<Endpoint> endpoints() {
        return Stream.of(
                new Endpoint("POST", "/v1/addresses", "{\"ttl_seconds\":1,\"label\":\"\"}", 400),
                new Endpoint("GET", "/v1/addresses?limit=0", "", 400),
                new Endpoint("DELETE", "/v1/addresses", "", 400),
                new Endpoint("DELETE", "/v1/addresses?label=x", "", 204),
                new Endpoint("GET", "/v1/addresses/" + UNKNOWN, "", 404),
                new Endpoint("DELETE", "/v1/addresses/" + UNKNOWN, "", 404),
                new Endpoint("GET", "/v1/addresses/" + UNKNOWN + "/email", "", 404),
                new Endpoint("GET", "/v1/addresses/" + UNKNOWN + "/email/raw", "", 404),
                new Endpoint("GET", "/v1/addresses/" + UNKNOWN + "/email/attachments/x", "", 404),
                new Endpoint("GET", "/v1/account", "", 200),
                new Endpoint("POST", "/v1/account/credits", "{\"credits\":0}", 400),
                new Endpoint("POST", "/v1/account/api-key", "{", 400),
                new Endpoint("GET", "/v1/nothing", "", 404),
                new Endpoint("PUT", "/v1/account", "{", 405));
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    void withoutAKeyNothingElseIsLookedAt(Endpoint endpoint) {
        endpoint.ask(RestAssured.given()).then().statusCode(401);
        endpoint.ask(RestAssured.given().header("Authorization", "Bearer nonsense"))
                .then()
                .statusCode(401);
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    void beyondTheRateTheRequestIsNotLookedAtAndWithinItTheRequestItselfDecides(Endpoint endpoint) {
        TestAccount account = TestAccount.onPlan("free");

        List<Integer> statuses = Together.until(
                status -> status == 429,
                30,
                () -> endpoint.ask(account.request()).statusCode());

        assertThat(statuses).containsOnly(429, endpoint.otherwise());
    }

    /** Pairs of errors in an authenticated request; the response has the first. */
    static Stream<Arguments> clashes() {
        String unknown = "/v1/addresses/" + UNKNOWN;
        return Stream.of(
                // Every request has a valid URI, is within bounds, and names an existing resource.
                arguments("GET", "/v1/nothing?%zz", "", 400),
                arguments("PUT", unknown + "?%zz", "", 400),
                arguments("GET", unknown + "?%zz", "", 400),
                arguments("GET", "/v1/nothing?" + "x".repeat(8_000), "", 414),
                arguments("POST", "/v1/nothing", "{", 404),
                arguments("PUT", "/v1/account/credits", "{", 405),
                arguments("PUT", unknown, "{", 405),
                // An invalid value is reported before a missing resource, and that before the rest.
                arguments("GET", "/v1/addresses?limit=0&cursor=x", "", 400),
                arguments("DELETE", "/v1/addresses?label=", "", 400),
                arguments("GET", unknown + "/email/attachments/x", "", 404),
                arguments("GET", unknown + "/email/attachments/99999999999", "", 404),
                // The form is checked before the plan, the plan before the quota.
                arguments("POST", "/v1/addresses", "{\"ttl_seconds\":7200,\"label\":\"\"}", 400),
                arguments("POST", "/v1/addresses", "{\"ttl_seconds\":7200,\"mode\":\"send\"}", 400),
                arguments("POST", "/v1/addresses", "{\"ttl_seconds\":7200}", 422),
                arguments("POST", "/v1/addresses", "{\"ttl_seconds\":59}", 400),
                arguments("POST", "/v1/addresses", "{", 400),
                arguments("POST", "/v1/addresses", "{}", 402));
    }

    @ParameterizedTest
    @MethodSource("clashes")
    void theFirstOfTwoFaultsIsAnswered(String method, String target, String body, int status) throws IOException {
        TestAccount account = TestAccount.onPlan("free");
        account.use(100);

        String answer = account.exchange(method + " " + target + " HTTP/1.1\r\nContent-Length: " + body.length(), body);

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        assertThat(answer.toLowerCase(Locale.ROOT)).contains("\r\nx-request-id: ", "\r\nratelimit: ");
        assertThat(answer).contains("{\"error\":{\"code\":\"");
    }

    @Test
    void ofUsedIdempotencyKeysIsSaidBeforeTheQuota() {
        TestAccount account = TestAccount.onPlan("free");
        account.createOnce("k", "{}").then().statusCode(201);
        account.use(100);

        account.createOnce("k", "{\"ttl_seconds\":59}").then().statusCode(400);
        account.createOnce("k", "{\"ttl_seconds\":600}").then().statusCode(422);
        account.createOnce("k", "{}").then().statusCode(201);
    }
}
