package dev.oneshot.api.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import io.restassured.response.Response;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The header field over HTTP. */
@ServiceTest
class IdempotencyKeyTest {

    private final TestAccount account = TestAccount.onPlan("scale");
    private final String key = UUID.randomUUID().toString();

    @Test
    void repeatedCreateGetsTheSameAnswerAndIsNotChargedAgain() {
        Response first = account.createOnce(key, "{\"label\":\"a\"}");
        Response second = account.createOnce(key, "{\"label\":\"a\"}");

        first.then().statusCode(201).contentType("application/json");
        second.then().statusCode(201).contentType("application/json");
        assertThat(second.asString()).isEqualTo(first.asString());
        assertUsed(1);
    }

    @Test
    void repeatedPurchaseBuysOnce() {
        Response first = account.buyOnce(key, "{\"credits\":7}");
        Response second = account.buyOnce(key, "{\"credits\":7}");

        first.then().statusCode(201);
        assertThat(second.asString()).isEqualTo(first.asString());
        account.request().get("/v1/account").then().body("credits", equalTo(7));
    }

    @Test
    void sameKeyWithAnotherBodyOrAtAnotherPathIsUnprocessable() {
        account.createOnce(key, "{\"credits\":7}").then().statusCode(201);

        account.createOnce(key, "{\"label\":\"b\"}")
                .then()
                .statusCode(422)
                .body("error.code", equalTo("VALIDATION_ERROR"))
                .body("error.message", startsWith("Idempotency-Key"));
        account.buyOnce(key, "{\"credits\":7}").then().statusCode(422);
        assertUsed(1);
    }

    @Test
    void emptyBodiesAreAlikeAndUnlikeOthers() {
        account.createOnce(key, "").then().statusCode(201);
        account.createOnce(key, "").then().statusCode(201);
        assertUsed(1);

        account.createOnce(key, "{}").then().statusCode(422);
    }

    @Test
    void accountsDoNotShareKeys() {
        account.createOnce(key, "{}").then().statusCode(201);
        TestAccount other = TestAccount.onPlan("scale");

        other.createOnce(key, "{}").then().statusCode(201);

        assertUsed(1);
    }

    @Test
    void refusedCreateLeavesTheKeyUsable() {
        account.createOnce(key, "{\"ttl_seconds\":1}").then().statusCode(400);
        TestDatabase.update("UPDATE account SET used = 1000000 WHERE id = ?::uuid", account.id());
        account.createOnce(key, "{}").then().statusCode(402);
        TestDatabase.update("UPDATE account SET used = 0 WHERE id = ?::uuid", account.id());

        account.createOnce(key, "{}").then().statusCode(201);
    }

    @Test
    void keyOfTheGreatestLengthIsTaken() {
        account.createOnce("k".repeat(255), "{}").then().statusCode(201);
        account.createOnce("k".repeat(255), "{}").then().statusCode(201);

        assertUsed(1);
    }

    static List<String> whatIsNoKeyIsRefused() {
        return List.of("", "two words", "k\u00e9y", "k".repeat(256));
    }

    @ParameterizedTest
    @MethodSource
    void whatIsNoKeyIsRefused(String bad) {
        account.createOnce(bad, "{}").then().statusCode(400).body("error.message", startsWith("Idempotency-Key must"));

        assertUsed(0);
    }

    private void assertUsed(int used) {
        account.request().get("/v1/account").then().body("used", equalTo(used));
    }
}
