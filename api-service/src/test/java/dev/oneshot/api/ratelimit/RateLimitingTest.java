package dev.oneshot.api.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.Together;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The plan free allows 10 requests a second, 20 at once. */
@ServiceTest
class RateLimitingTest {

    private final TestAccount account = TestAccount.onPlan("free");

    @Test
    void everyAuthenticatedAnswerTellsWhereTheClientStands() {
        for (Response answer : List.of(
                account.request().get("/v1/account"),
                account.request().get("/v1/addresses?limit=0"),
                account.request().get("/v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa"),
                account.request().get("/v1/nothing"),
                account.request().put("/v1/account"))) {
            answer.then()
                    .header("RateLimit-Policy", "\"account\";q=20;w=2")
                    .header("RateLimit", matchesPattern("\"account\";r=1\\d;t=[12]"));
        }
    }

    @Test
    void whatRemainsIsCountedDown() {
        account.request().get("/v1/account").then().header("RateLimit", "\"account\";r=19;t=1");
    }

    @Test
    void unauthenticatedAnswersTellNothing() {
        RestAssured.get("/v1/account").then().statusCode(401).header("RateLimit", nullValue());
    }

    @Test
    void beyondTheBurstRequestsAreRefusedAndToldWhenToComeBack() {
        List<Response> answers = Together.times(60, () -> account.request().get("/v1/account"));

        List<Response> refused =
                answers.stream().filter(answer -> answer.statusCode() == 429).toList();
        assertThat(refused).isNotEmpty();
        refused.getFirst()
                .then()
                .contentType("application/json")
                .body("error.code", equalTo("RATE_LIMITED"))
                .header("Retry-After", "1")
                .header("RateLimit-Policy", "\"account\";q=20;w=2")
                .header("RateLimit", "\"account\";r=0;t=1");
    }

    @Test
    void refusedRequestChangesNothing() {
        List<Response> answers = Together.times(60, () -> account.create("{}"));
        long created =
                answers.stream().filter(answer -> answer.statusCode() == 201).count();

        Awaitility.await()
                .ignoreExceptionsInstanceOf(NullPointerException.class)
                .until(() -> account.request().get("/v1/account").path("used"), used -> used.equals((int) created));
    }

    @Test
    void otherAccountsAreNotConcerned() {
        List<Integer> statuses =
                Together.times(60, () -> account.request().get("/v1/account").statusCode());
        assertThat(statuses).contains(429);

        TestAccount.onPlan("free").request().get("/v1/account").then().statusCode(200);
    }
}
