package dev.oneshot.api.quota;

import static dev.oneshot.api.Errors.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class CreditsTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void purchaseIsCreditedAndWrittenDownToBeInvoiced() {
        buy("{\"credits\":500}").then().statusCode(201);

        Response second = buy("{\"credits\":12}");

        second.then()
                .statusCode(201)
                .body("credits_added", equalTo(12))
                .body("credits", equalTo(512))
                .body("reference", startsWith("purchase-"));
        String reference = second.path("reference");
        assertThat(TestDatabase.count("SELECT credits FROM invoice_item WHERE reference = ?", reference))
                .isEqualTo(12);
        assertThat(TestDatabase.count("SELECT credits FROM credit_entry WHERE reference = ?", reference))
                .isEqualTo(12);
        account.read().then().body("credits", equalTo(512));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000_000})
    void purchasesAtTheBoundsAreTaken(int credits) {
        buy("{\"credits\":" + credits + "}").then().statusCode(201).body("credits", equalTo(credits));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"credits\":0}", "{\"credits\":-1}", "{\"credits\":1000001}", "{\"credits\":null}"})
    void purchasesBeyondTheBoundsAreRefused(String body) {
        assertInvalid(buy(body), "credits must be between 1 and 1000000");
    }

    @Test
    void ledgerOnlyGrows() {
        buy("{\"credits\":5}").then().statusCode(201);

        assertThatThrownBy(() -> TestDatabase.update(
                        "UPDATE credit_entry SET credits = 6 WHERE account_id = ?::uuid", account.id()))
                .hasStackTraceContaining("the ledger of credits only grows");
        assertThatThrownBy(
                        () -> TestDatabase.update("DELETE FROM credit_entry WHERE account_id = ?::uuid", account.id()))
                .hasStackTraceContaining("the ledger of credits only grows");
    }

    private Response buy(String json) {
        return account.post("/account/credits", json);
    }
}
