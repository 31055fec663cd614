package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** 401, then 429, then 400, then 404 or 410, then 422, then 402, at every endpoint. */
@ServiceTest
class OrderOfChecksTest {

    private static final String UNKNOWN = "aaaaaaaaaaaaaaaaaaaaaaaa";

    /**
     * An endpoint, asked in the worst way it can be: what is wrong with the request itself comes to {@code otherwise}.
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
                new Endpoint("GET", "/v1/addresses/" + UNKNOWN, "", 404),
                new Endpoint("DELETE", "/v1/addresses/" + UNKNOWN, "", 404),
                new Endpoint("GET", "/v1/addresses/" + UNKNOWN + "/email", "", 404),
                new Endpoint("GET", "/v1/addresses/" + UNKNOWN + "/email/raw", "", 404),
                new Endpoint("GET", "/v1/addresses/" + UNKNOWN + "/email/attachments/x", "", 404),
                new Endpoint("GET", "/v1/account", "", 200),
                new Endpoint("POST", "/v1/account/credits", "{\"credits\":0}", 400),
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
    void beyondTheRateTheRequestIsNotLookedAt(Endpoint endpoint) {
        TestAccount account = TestAccount.onPlan("free");

        List<Integer> statuses =
                Together.times(60, () -> endpoint.ask(account.request()).statusCode());

        assertThat(statuses).contains(429).containsOnly(429, endpoint.otherwise());
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    void withinTheRateTheRequestItselfDecides(Endpoint endpoint) {
        endpoint.ask(TestAccount.onPlan("free").request()).then().statusCode(endpoint.otherwise());
    }

    @Test
    void malformedCreateIsSaidBeforeThePlanAndThePlanBeforeTheQuota() {
        TestAccount account = TestAccount.onPlan("free");
        TestDatabase.update("UPDATE account SET used = 100 WHERE id = ?::uuid", account.id());

        account.create("{\"ttl_seconds\":7200,\"label\":\"\"}").then().statusCode(400);
        account.create("{\"ttl_seconds\":7200}").then().statusCode(422);
        account.create("{\"ttl_seconds\":600}").then().statusCode(402);
    }

    @Test
    void expiredIsSaidOfAllThatIsBelowAnAddress() {
        TestAccount account = TestAccount.onPlan("scale");
        String id = account.waitingAddress(600);
        TestDatabase.expire(id);

        for (String below : new String[] {"", "/email", "/email/raw", "/email/attachments/0"}) {
            account.request().get("/v1/addresses/" + id + below).then().statusCode(410);
        }
        account.request().delete("/v1/addresses/" + id).then().statusCode(204);
    }
}
