package dev.oneshot.api.ratelimit;

import static dev.oneshot.api.Errors.assertError;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.testing.Together;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The plan free allows 10 requests a second, 20 at once. */
@ServiceTest
class RateLimitingTest {

    private final TestAccount account = TestAccount.onPlan("free");

    @Test
    void everyAuthenticatedResponseHasTheRateLimit() {
        account.read().then().header("RateLimit", "\"account\";r=19;t=1");
        for (Response response : List.of(
                account.request().get("/v1/addresses?limit=0"),
                account.request().get("/v1/addresses/aaaaaaaaaaaaaaaaaaaaaaaa"),
                account.request().get("/v1/nothing"),
                account.request().put("/v1/account"))) {
            response.then()
                    .header("RateLimit-Policy", "\"account\";q=20;w=2")
                    .header("RateLimit", matchesPattern("\"account\";r=1\\d;t=[12]"));
        }
    }

    @Test
    void unauthenticatedResponsesDoNotHaveTheRateLimit() {
        RawHttp.send("GET", "/v1/account").has(401).lacks("RateLimit", "RateLimit-Policy");
    }

    @Test
    void requestsBeyondTheBurstAreRefusedWithRetryAfter() {
        List<Response> responses = Together.until(response -> response.statusCode() == 429, 60, () -> account.read());

        Response refused = responses.stream()
                .filter(response -> response.statusCode() == 429)
                .findFirst()
                .orElseThrow();
        assertError(refused, 429, "RATE_LIMITED");
        refused.then()
                .header("Retry-After", "1")
                .header("RateLimit-Policy", "\"account\";q=20;w=2")
                .header("RateLimit", "\"account\";r=0;t=1");
    }

    @Test
    void refusedRequestChangesNothing() {
        List<Response> responses = Together.times(60, () -> account.create("{}"));
        long created = responses.stream()
                .filter(response -> response.statusCode() == 201)
                .count();

        Awaitility.await()
                .ignoreExceptionsInstanceOf(NullPointerException.class)
                .until(() -> account.read().path("used"), used -> used.equals((int) created));
    }

    @Test
    void whenTheDatabaseIsAwayTheLeaseIsSpentAndThenItIsUnavailable() throws SQLException {
        get().then().statusCode(404);
        try (Connection _ = TestDatabase.sql().begin("LOCK TABLE rate_bucket IN ACCESS EXCLUSIVE MODE")) {
            // A tenth of the burst was leased ahead.
            get().then().statusCode(404);
            get().then().statusCode(404);
            CompletableFuture<Response> beyond = CompletableFuture.supplyAsync(this::get, Thread::startVirtualThread);
            Awaitility.await().until(RateLimitingTest::endRequestForTokens);

            beyond.join()
                    .then()
                    .statusCode(503)
                    .header("Retry-After", matchesPattern("[1-9][0-9]*"))
                    .header("RateLimit", "\"account\";r=0;t=1")
                    .body("error.code", equalTo("UNAVAILABLE"));
        }
        get().then().statusCode(404);
    }

    /** Needs a token and no other database access. */
    private Response get() {
        return account.request().get("/v1/nothing");
    }

    private static boolean endRequestForTokens() {
        return TestDatabase.count(
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                + " WHERE wait_event_type = 'Lock' AND query LIKE ?",
                        "%take_tokens%")
                == 1;
    }
}
