package dev.oneshot.api.operator;

import static dev.oneshot.api.Errors.assertError;
import static dev.oneshot.api.TestAccount.operateOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import io.restassured.response.Response;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Credits that the operator grants with an Idempotency-Key. */
@ServiceTest
class RepeatedGrantTest {

    private static final String FORTY = "{\"credits\":40}";

    private final TestAccount account = TestAccount.onPlan("free");
    private final String key = UUID.randomUUID().toString();

    @Test
    void sameRequestGivesOnceAndRepeatsTheFirstResponse() {
        Response first = give(key, FORTY);
        Response second = give(key, FORTY);

        first.then().statusCode(201).body("credits", equalTo(40)).body("reference", startsWith("operator-"));
        second.then().statusCode(201);
        assertThat(second.asString()).isEqualTo(first.asString());
        assertThat(given()).isEqualTo(40);
    }

    @Test
    void otherRequestUnderTheSameKeyIsRejected() {
        give(key, FORTY).then().statusCode(201);

        assertError(give(key, "{\"credits\":41}"), 422, "VALIDATION_ERROR");
        give(TestAccount.onPlan("free"), key, FORTY).then().statusCode(422);
        assertThat(given()).isEqualTo(40);
    }

    @Test
    void keysOfTheAccountAreOthers() {
        account.buyOnce(key, FORTY).then().statusCode(201);

        give(key, FORTY).then().statusCode(201).body("credits", equalTo(80));
    }

    @Test
    void grantToNoAccountIsNotKept() {
        String path = "/operator/accounts/" + UUID.randomUUID() + "/credits";

        operateOnce(key, path, FORTY).then().statusCode(404);

        give(key, FORTY).then().statusCode(201);
    }

    private long given() {
        return TestDatabase.count(
                "SELECT sum(credits) FROM credit_entry WHERE origin = 'operator' AND account_id = ?::uuid",
                account.id());
    }

    private Response give(String key, String json) {
        return give(account, key, json);
    }

    private static Response give(TestAccount account, String key, String json) {
        return operateOnce(key, "/operator/accounts/" + account.id() + "/credits", json);
    }
}
