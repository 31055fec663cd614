package dev.oneshot.api.quota;

import static dev.oneshot.api.TestAccount.operator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.Together;
import io.restassured.http.ContentType;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plan free includes 100 addresses a month. */
@ServiceTest
class QuotaTest {

    private final TestAccount account = TestAccount.onPlan("free");

    @ParameterizedTest
    @CsvSource({"95, 0, 5", "97, 5, 8"})
    void parallelCreatesUseTheAllocationAndThenCreditsUntilNothingIsLeft(int used, int credits, int created) {
        used(used);
        give(credits);

        List<Integer> statuses = createTogether(16);

        assertThat(statuses).filteredOn(status -> status == 201).hasSize(created);
        assertThat(statuses).filteredOn(status -> status == 402).hasSize(16 - created);
        assertAccount(100, 0);
        assertThat(addresses()).isEqualTo(created);
    }

    @Test
    void refusalNamesTheWayOutAndCostsNothing() {
        used(100);

        account.create("{}")
                .then()
                .statusCode(402)
                .body("error.code", equalTo("QUOTA_EXCEEDED"))
                .body("error.upgrade_url", equalTo("https://oneshot.example/pricing"));

        assertAccount(100, 0);
        assertThat(addresses()).isZero();
    }

    @Test
    void deletingGivesNothingBack() {
        String address = account.waitingAddress(600);

        account.request().delete("/v1/addresses/" + address).then().statusCode(204);

        assertAccount(1, 0);
    }

    @Test
    void newBillingCycleBeginsWithTheWholeAllocation() {
        used(100);
        TestDatabase.update(
                "UPDATE account SET created_at = created_at - interval '13 months' WHERE id = ?::uuid", account.id());
        // The cache has the account's creation day with its key.
        TestDatabase.update("INSERT INTO account_change (account_id) VALUES (?::uuid)", account.id());
        assertAccount(0, 0);

        Awaitility.await().until(() -> account.create("{}").statusCode() == 201);

        assertAccount(1, 0);
    }

    private List<Integer> createTogether(int count) {
        return Together.times(count, () -> account.create("{}").statusCode());
    }

    private void used(int addresses) {
        TestDatabase.update("UPDATE account SET used = " + addresses + " WHERE id = ?::uuid", account.id());
    }

    private void give(int credits) {
        if (credits == 0) {
            return;
        }
        operator()
                .contentType(ContentType.JSON)
                .body(Map.of("credits", credits))
                .post("/operator/accounts/" + account.id() + "/credits")
                .then()
                .statusCode(201);
    }

    private long addresses() {
        return TestDatabase.count("SELECT count(*) FROM address WHERE account_id = ?::uuid", account.id());
    }

    private void assertAccount(int used, int credits) {
        account.request()
                .get("/v1/account")
                .then()
                .statusCode(200)
                .body("used", equalTo(used))
                .body("credits", equalTo(credits));
    }
}
