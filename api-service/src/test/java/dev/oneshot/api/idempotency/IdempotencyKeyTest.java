package dev.oneshot.api.idempotency;

import static dev.oneshot.api.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import io.restassured.response.Response;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The header field over HTTP. */
@ServiceTest
class IdempotencyKeyTest {

    private final TestAccount account = TestAccount.onPlan("scale");
    private final String key = UUID.randomUUID().toString();

    @Test
    void repeatedCreateGetsTheSameResponseAndIsNotChargedAgain() {
        Response first = account.createOnce(key, "{\"label\":\"a\"}");
        Response second = account.createOnce(key, "{\"label\":\"a\"}");

        first.then().statusCode(201).contentType("application/json");
        second.then().statusCode(201).contentType("application/json");
        assertThat(second.asString()).isEqualTo(first.asString());
        account.assertUsed(1);
    }

    @Test
    void repeatedPurchaseBuysOnce() {
        Response first = account.buyOnce(key, "{\"credits\":7}");
        Response second = account.buyOnce(key, "{\"credits\":7}");

        first.then().statusCode(201);
        assertThat(second.asString()).isEqualTo(first.asString());
        account.read().then().body("credits", equalTo(7));
    }

    @Test
    void sameKeyWithAnotherBodyOrAtAnotherPathIsUnprocessable() {
        account.createOnce(key, "{\"credits\":7}").then().statusCode(201);

        Response refused = account.createOnce(key, "{\"label\":\"b\"}");
        assertError(refused, 422, "VALIDATION_ERROR");
        refused.then().body("error.message", startsWith("Idempotency-Key"));
        account.buyOnce(key, "{\"credits\":7}").then().statusCode(422);
        account.assertUsed(1);
    }

    @Test
    void emptyBodiesAreAlikeAndUnlikeOthers() {
        account.createOnce(key, "").then().statusCode(201);
        account.createOnce(key, "").then().statusCode(201);
        account.assertUsed(1);

        account.createOnce(key, "{}").then().statusCode(422);
    }

    @Test
    void accountsDoNotShareKeys() {
        account.createOnce(key, "{}").then().statusCode(201);
        TestAccount other = TestAccount.onPlan("scale");

        other.createOnce(key, "{}").then().statusCode(201);

        account.assertUsed(1);
    }

    @Test
    void refusedCreateLeavesTheKeyUsable() {
        account.createOnce(key, "{\"ttl_seconds\":1}").then().statusCode(400);
        account.use(1000000);
        account.createOnce(key, "{}").then().statusCode(402);
        account.use(0);

        account.createOnce(key, "{}").then().statusCode(201);
    }

    @Test
    void keyOfTheGreatestLengthIsTaken() {
        account.createOnce("k".repeat(255), "{}").then().statusCode(201);
        account.createOnce("k".repeat(255), "{}").then().statusCode(201);

        account.assertUsed(1);
    }

    @Test
    void whatIsNoKeyIsRefused() {
        for (String bad : List.of("", "two words", "k\u00e9y", "k".repeat(256))) {
            account.createOnce(bad, "{}")
                    .then()
                    .statusCode(400)
                    .body("error.message", startsWith("Idempotency-Key must"));
        }

        account.assertUsed(0);
    }
}
