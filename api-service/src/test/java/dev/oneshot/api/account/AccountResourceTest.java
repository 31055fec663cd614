package dev.oneshot.api.account;

import static dev.oneshot.api.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.testing.Together;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class AccountResourceTest {

    private final TestAccount account = TestAccount.onPlan("pro");

    @ParameterizedTest
    @CsvSource({
        "free, 100, 3600, 2, 1, 10, 20",
        "pro, 10000, 86400, 8, 4, 50, 100",
        "scale, 1000000, 86400, 32, 24, 500, 1000"
    })
    void accountHasPlanLimitsAndUsage(
            String plan, int allocation, int ttl, int emailMebibytes, int attachmentMebibytes, int rate, int burst) {
        TestAccount owner = TestAccount.onPlan(plan);
        owner.waitingAddress(600);

        Response response = owner.read();

        response.then()
                .statusCode(200)
                .body("id", equalTo(owner.id()))
                .body("name", equalTo("test"))
                .body("plan", equalTo(plan))
                .body("monthly_allocation", equalTo(allocation))
                .body("used", equalTo(1))
                .body("credits", equalTo(0))
                .body("limits.max_ttl_seconds", equalTo(ttl))
                .body("limits.max_email_bytes", equalTo(emailMebibytes << 20))
                .body("limits.max_attachment_bytes", equalTo(attachmentMebibytes << 20))
                .body("limits.requests_per_second", equalTo(rate))
                .body("limits.burst", equalTo(burst));
        assertThat(Duration.between(Instant.now(), Instant.parse(response.path("billing_cycle_ends"))))
                .isBetween(Duration.ofDays(27), Duration.ofDays(31));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ | application/json | 400 | VALIDATION_ERROR",
                "[] | application/json | 400 | VALIDATION_ERROR",
                "{} {} | application/json | 400 | VALIDATION_ERROR",
                "{} | text/plain | 415 | UNSUPPORTED_MEDIA_TYPE",
            })
    void whatIsNoObjectReplacesNoKey(String body, String contentType, int status, String code) {
        assertError(account.request().contentType(contentType).body(body).post("/v1/account/api-key"), status, code);
        TestAccount.operator()
                .contentType(contentType)
                .body(body)
                .post("/operator/accounts/" + account.id() + "/api-key")
                .then()
                .statusCode(status)
                .body("error.code", equalTo(code));

        account.read().then().statusCode(200);
    }

    @Test
    void membersOfTheBodyAreIgnored() {
        String key = account.post("/account/api-key", "{\"x\":1}")
                .then()
                .statusCode(201)
                .extract()
                .path("api_key");

        new TestAccount(account.id(), key).read().then().statusCode(200);
    }

    /** Its response was lost. */
    @Test
    void aReplacementIsRepeatedByItsIdempotencyKeyWithTheOldKeyAndWithTheNew() {
        String replaced = replaceOnce(account, "key-1", "{}").path("api_key");
        TestAccount renewed = new TestAccount(account.id(), replaced);

        for (TestAccount caller : List.of(account, renewed, account)) {
            replaceOnce(caller, "key-1", "{}").then().statusCode(201).body("api_key", equalTo(replaced));
        }
        renewed.read().then().statusCode(200);
        assertThat(TestDatabase.count("SELECT count(*) FROM account WHERE strpos(account::text, ?) > 0", replaced))
                .isZero();
        assertError(replaceOnce(renewed, "key-1", "{\"x\":1}"), 422, "VALIDATION_ERROR");
    }

    @Test
    void theOldKeyOpensNothingElse() {
        String replaced = replaceOnce(account, "key-1", "{}").path("api_key");

        assertError(account.read(), 401, "UNAUTHORIZED");
        assertError(account.create("{}"), 401, "UNAUTHORIZED");
        assertError(account.createOnce("key-1", "{}"), 401, "UNAUTHORIZED");
        assertError(account.post("/account/api-key", "{}"), 401, "UNAUTHORIZED");
        assertError(replaceOnce(account, "key-2", "{}"), 401, "UNAUTHORIZED");
        assertError(replaceOnce(account, "key-1", "{\"x\":1}"), 401, "UNAUTHORIZED");
        new TestAccount(account.id(), replaced).read().then().statusCode(200);
    }

    @Test
    void theOldKeyOpensNothingAfterTenMinutes() {
        replaceOnce(account, "key-1", "{}").then().statusCode(201);
        TestDatabase.update(
                "UPDATE account SET replaced_until = replaced_until - interval '10 minutes' WHERE id = ?::uuid",
                account.id());

        assertError(replaceOnce(account, "key-1", "{}"), 401, "UNAUTHORIZED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theOldKeyOpensNothingOnceItsSuccessorIsReplaced(boolean byOperator) {
        String replaced = replaceOnce(account, "key-1", "{}").path("api_key");
        Response again = byOperator
                ? TestAccount.operator().post("/operator/accounts/" + account.id() + "/api-key")
                : new TestAccount(account.id(), replaced).post("/account/api-key", "{}");
        again.then().statusCode(201);

        assertError(replaceOnce(account, "key-1", "{}"), 401, "UNAUTHORIZED");
        assertError(new TestAccount(account.id(), replaced).read(), 401, "UNAUTHORIZED");
    }

    @Test
    void concurrentReplacementsWithOneIdempotencyKeyGetOneKey() {
        List<Response> responses = Together.times(10, () -> replaceOnce(account, "key-1", "{}"));

        assertThat(responses).allMatch(response -> response.statusCode() == 201);
        assertThat(responses.stream().map(response -> response.<String>path("api_key")))
                .containsOnly(responses.getFirst().<String>path("api_key"));
    }

    private static Response replaceOnce(TestAccount caller, String idempotencyKey, String json) {
        return caller.request()
                .header("Idempotency-Key", idempotencyKey)
                .contentType(ContentType.JSON)
                .body(json)
                .post("/v1/account/api-key");
    }

    @Test
    void oneOfTenConcurrentReplacementsOfAKeySucceeds() {
        List<Response> responses = Together.times(10, () -> account.request().post("/v1/account/api-key"));

        assertThat(responses)
                .filteredOn(response -> response.statusCode() == 401)
                .hasSize(9);
        List<Response> replaced = responses.stream()
                .filter(response -> response.statusCode() == 201)
                .toList();
        assertThat(replaced).hasSize(1);
        replaced.getFirst()
                .then()
                .header("Cache-Control", "no-store")
                .body("api_key", matchesPattern("oneshot_[0-9A-Za-z]{56}"));
        new TestAccount(account.id(), replaced.getFirst().path("api_key"))
                .read()
                .then()
                .statusCode(200);
    }
}
