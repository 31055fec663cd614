package dev.oneshot.api.quota;

import static dev.oneshot.api.TestAccount.operator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.testing.Together;
import java.util.List;
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
        account.use(used);
        give(credits);

        List<Integer> statuses = Together.times(16, () -> account.create("{}").statusCode());

        assertThat(statuses).filteredOn(status -> status == 201).hasSize(created);
        assertThat(statuses).filteredOn(status -> status == 402).hasSize(16 - created);
        assertAccount(100, 0);
        assertThat(account.rows("address")).isEqualTo(created);
    }

    @Test
    void refusalNamesTheWayOutAndCostsNothing() {
        account.use(100);

        account.create("{}")
                .then()
                .statusCode(402)
                .body("error.code", equalTo("QUOTA_EXCEEDED"))
                .body("error.upgrade_url", equalTo("https://oneshot.example/pricing"));

        assertAccount(100, 0);
        assertThat(account.rows("address")).isZero();
    }

    @Test
    void deletingGivesNothingBack() {
        String address = account.waitingAddress(600);

        account.delete(address).then().statusCode(204);

        assertAccount(1, 0);
    }

    @Test
    void newBillingCycleBeginsWithTheWholeAllocation() {
        account.use(100);
        TestDatabase.update(
                "UPDATE account SET created_at = created_at - interval '13 months' WHERE id = ?::uuid", account.id());
        assertAccount(0, 0);

        // For less than a second, the service remembers the account's creation day with its key.
        Awaitility.await().until(() -> account.create("{}").statusCode() == 201);

        assertAccount(1, 0);
    }

    private void give(int credits) {
        if (credits > 0) {
            operator("{\"credits\":" + credits + "}")
                    .post("/operator/accounts/" + account.id() + "/credits")
                    .then()
                    .statusCode(201);
        }
    }

    private void assertAccount(int used, int credits) {
        account.read().then().statusCode(200).body("used", equalTo(used)).body("credits", equalTo(credits));
    }
}
