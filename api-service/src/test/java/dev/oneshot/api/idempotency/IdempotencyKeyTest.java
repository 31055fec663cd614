package dev.oneshot.api.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.Together;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The header field over HTTP. */
@ServiceTest
class IdempotencyKeyTest {

    private final TestAccount account = TestAccount.onPlan("scale");
    private final String key = UUID.randomUUID().toString();

    @Test
    void repeatedCreateGetsTheSameAnswerAndIsNotChargedAgain() {
        Response first = create(key, "{\"label\":\"a\"}");
        Response second = create(key, "{\"label\":\"a\"}");

        first.then().statusCode(201).contentType("application/json");
        second.then().statusCode(201).contentType("application/json");
        assertThat(second.asString()).isEqualTo(first.asString());
        assertUsed(1);
    }

    @Test
    void repeatedPurchaseBuysOnce() {
        Response first = buy(key, "{\"credits\":7}");
        Response second = buy(key, "{\"credits\":7}");

        first.then().statusCode(201);
        assertThat(second.asString()).isEqualTo(first.asString());
        account.request().get("/v1/account").then().body("credits", equalTo(7));
    }

    @Test
    void sameKeyWithAnotherBodyIsUnprocessable() {
        create(key, "{\"label\":\"a\"}").then().statusCode(201);

        create(key, "{\"label\":\"b\"}")
                .then()
                .statusCode(422)
                .body("error.code", equalTo("VALIDATION_ERROR"))
                .body("error.message", startsWith("Idempotency-Key"));
        assertUsed(1);
    }

    @Test
    void sameKeyAtAnotherPathIsUnprocessable() {
        create(key, "{\"credits\":7}").then().statusCode(201);

        buy(key, "{\"credits\":7}").then().statusCode(422);
    }

    @Test
    void emptyBodiesAreAlikeAndUnlikeOthers() {
        create(key, "").then().statusCode(201);
        create(key, "").then().statusCode(201);
        assertUsed(1);

        create(key, "{}").then().statusCode(422);
    }

    @Test
    void accountsDoNotShareKeys() {
        create(key, "{}").then().statusCode(201);
        TestAccount other = TestAccount.onPlan("scale");

        other.request()
                .header("Idempotency-Key", key)
                .contentType(ContentType.JSON)
                .body("{}")
                .post("/v1/addresses")
                .then()
                .statusCode(201);

        assertUsed(1);
    }

    @Test
    void tenAtOnceHaveOneEffect() {
        List<Response> responses = Together.times(10, () -> create(key, "{}"));

        Set<String> bodies = new HashSet<>();
        for (Response response : responses) {
            if (response.statusCode() == 201) {
                bodies.add(response.asString());
            } else {
                response.then().statusCode(409).body("error.code", equalTo("CONFLICT"));
            }
        }
        assertThat(bodies).hasSize(1);
        assertUsed(1);
    }

    @Test
    void allWhoRepeatACompletedRequestAtOnceGetItsAnswer() {
        String first = create(key, "{}").asString();

        List<Response> same = Together.times(12, () -> create(key, "{}"));
        List<Response> others = Together.times(8, () -> create(key, "{\"label\":\"b\"}"));

        assertThat(same).allSatisfy(response -> {
            assertThat(response.statusCode()).isEqualTo(201);
            assertThat(response.asString()).isEqualTo(first);
        });
        assertThat(others).extracting(Response::statusCode).containsOnly(422);
        assertUsed(1);
    }

    @Test
    void refusedCreateLeavesTheKeyUsable() {
        create(key, "{\"ttl_seconds\":1}").then().statusCode(400);
        TestDatabase.update("UPDATE account SET used = 1000000 WHERE id = ?::uuid", account.id());
        create(key, "{}").then().statusCode(402);
        TestDatabase.update("UPDATE account SET used = 0 WHERE id = ?::uuid", account.id());

        create(key, "{}").then().statusCode(201);
    }

    @Test
    void keyOfTheGreatestLengthIsTaken() {
        create("k".repeat(255), "{}").then().statusCode(201);
        create("k".repeat(255), "{}").then().statusCode(201);

        assertUsed(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "k\u00e9y"})
    void whatIsNoKeyIsRefused(String bad) {
        create(bad, "{}").then().statusCode(400).body("error.message", startsWith("Idempotency-Key must"));

        assertUsed(0);
    }

    @Test
    void longerKeyIsRefused() {
        create("k".repeat(256), "{}").then().statusCode(400).body("error.message", startsWith("Idempotency-Key must"));
    }

    private Response create(String idempotencyKey, String json) {
        return account.request()
                .header("Idempotency-Key", idempotencyKey)
                .contentType(ContentType.JSON)
                .body(json)
                .post("/v1/addresses");
    }

    private Response buy(String idempotencyKey, String json) {
        return account.request()
                .header("Idempotency-Key", idempotencyKey)
                .contentType(ContentType.JSON)
                .body(json)
                .post("/v1/account/credits");
    }

    private void assertUsed(int used) {
        account.request().get("/v1/account").then().body("used", equalTo(used));
    }
}
