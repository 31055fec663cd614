package dev.oneshot.api.operator;

import static dev.oneshot.api.TestAccount.operator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Credits that the operator grants with an Idempotency-Key. */
@ServiceTest
class RepeatedGrantTest {

    private static final String FORTY = "{\"credits\":40}";
    private static final String WAITING =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'" + " AND query LIKE '%' || ? || '%'";

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

        give(key, "{\"credits\":41}").then().statusCode(422).body("error.code", equalTo("VALIDATION_ERROR"));
        give(TestAccount.onPlan("free"), key, FORTY).then().statusCode(422);
        assertThat(given()).isEqualTo(40);
    }

    @Test
    void keysOfTheAccountAreOthers() {
        account.request()
                .header("Idempotency-Key", key)
                .contentType(ContentType.JSON)
                .body(FORTY)
                .post("/v1/account/credits")
                .then()
                .statusCode(201);

        give(key, FORTY).then().statusCode(201).body("credits", equalTo(80));
    }

    @Test
    void whileTheFirstIsRunningTheSecondConflicts() throws SQLException {
        try (Connection other = TestDatabase.connect();
                PreparedStatement lock = other.prepareStatement("SELECT FROM account WHERE id = ?::uuid FOR UPDATE")) {
            other.setAutoCommit(false);
            lock.setString(1, account.id());
            lock.execute();
            CompletableFuture<Response> first = CompletableFuture.supplyAsync(() -> give(key, FORTY));
            await().until(() -> TestDatabase.count(WAITING, "SET credits_bought = credits_bought") > 0);

            give(key, FORTY).then().statusCode(409).header("Retry-After", "1").body("error.code", equalTo("CONFLICT"));

            other.rollback();
            first.join().then().statusCode(201);
        }
        assertThat(given()).isEqualTo(40);
    }

    @Test
    void grantToNoAccountIsNotKept() {
        String path = "/operator/accounts/" + UUID.randomUUID() + "/credits";

        operator()
                .header("Idempotency-Key", key)
                .contentType(ContentType.JSON)
                .body(FORTY)
                .post(path)
                .then()
                .statusCode(404);

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
        return operator()
                .header("Idempotency-Key", key)
                .contentType(ContentType.JSON)
                .body(json)
                .post("/operator/accounts/" + account.id() + "/credits");
    }
}
