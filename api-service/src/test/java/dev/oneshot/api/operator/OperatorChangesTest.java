package dev.oneshot.api.operator;

import static dev.oneshot.api.Errors.assertError;
import static dev.oneshot.api.TestAccount.operateOnce;
import static dev.oneshot.api.TestAccount.operator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestMail;
import dev.oneshot.testing.LogLines;
import io.restassured.response.Response;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes by the operator, and the audit line of each. */
@ServiceTest
class OperatorChangesTest {

    private static final String FORTY = "{\"credits\":40}";
    private static final String NO_ACCOUNT = "/operator/accounts/" + UUID.randomUUID();

    private final TestAccount account = TestAccount.onPlan("free");
    private final String path = "/operator/accounts/" + account.id();
    private final String key = UUID.randomUUID().toString();
    private final LogLines audit = LogLines.of("dev.oneshot.audit");

    @AfterEach
    void stopListening() {
        audit.close();
    }

    @Test
    void planIsChangedAndHoldsForTheNextRequest() {
        account.create("{\"ttl_seconds\":7200}").then().statusCode(422);

        patch("{\"plan\":\"pro\"}")
                .then()
                .statusCode(200)
                .body("plan", equalTo("pro"))
                .body("name", equalTo("test"))
                .body("monthly_allocation", equalTo(10_000))
                .body("$", not(hasKey("api_key")));

        account.create("{\"ttl_seconds\":7200}").then().statusCode(201);
        assertThat(audit.texts())
                .containsExactly(
                        "INFO audit operator action=change accountId=" + account.id() + " plan=pro renamed=false");
    }

    @Test
    void nameIsChanged() {
        patch("{\"name\":\"Example Ltd\",\"plan\":null}")
                .then()
                .statusCode(200)
                .body("plan", equalTo("free"))
                .body("name", equalTo("Example Ltd"));

        assertThat(audit.texts()).hasSize(1).first().asString().doesNotContain("Example");
    }

    @Test
    void changeOfNothingIsNoChange() {
        patch("{}").then().statusCode(200).body("name", equalTo("test"));

        assertThat(audit.texts()).isEmpty();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/operator/refused-changes.txt", delimiter = '|', quoteCharacter = '`')
    void whatIsInvalidIsRefusedAndNotAudited(String method, String below, String body) {
        Response refused = operator(body).request(method, path + below);

        assertError(refused, 400, "VALIDATION_ERROR");
        assertThat(audit.texts()).isEmpty();
    }

    @Test
    void creditsAreGivenUnderAReference() {
        post("/credits", "{\"credits\":40,\"reference\":\"goodwill 17\"}")
                .then()
                .statusCode(201)
                .body("credits_added", equalTo(40))
                .body("credits", equalTo(40))
                .body("reference", equalTo("goodwill 17"));
        post("/credits", "{\"credits\":2}")
                .then()
                .statusCode(201)
                .body("credits", equalTo(42))
                .body("reference", startsWith("operator-"));

        assertThat(audit.texts())
                .containsExactly(
                        "INFO audit operator action=credits accountId=" + account.id() + " credits=40",
                        "INFO audit operator action=credits accountId=" + account.id() + " credits=2");
        assertThat(given()).isEqualTo(42);
    }

    @Test
    void keyIsReplaced() {
        Response replaced = post("/api-key", "{}");

        replaced.then().statusCode(201).body("api_key", matchesPattern("oneshot_[0-9A-Za-z]{56}"));
        account.read().then().statusCode(401);
        new TestAccount(account.id(), replaced.path("api_key")).read().then().statusCode(200);
        assertThat(audit.texts()).containsExactly("INFO audit operator action=api-key accountId=" + account.id());
    }

    @Test
    void creditsAreGivenOnceUnderAnIdempotencyKeyAndTheRepetitionIsAudited() {
        Response first = give(account, FORTY);
        Response second = give(account, FORTY);

        second.then().statusCode(201);
        assertThat(second.asString()).isEqualTo(first.asString());
        assertThat(given()).isEqualTo(40);
        assertThat(audit.texts())
                .containsExactly(
                        "INFO audit operator action=credits accountId=" + account.id() + " credits=40",
                        "INFO audit operator action=credits accountId=" + account.id() + " credits=40 repeated=true");
    }

    @Test
    void otherCreditsUnderTheSameIdempotencyKeyAreRefused() {
        give(account, FORTY).then().statusCode(201);

        assertError(give(account, "{\"credits\":41}"), 422, "VALIDATION_ERROR");
        give(TestAccount.onPlan("free"), FORTY).then().statusCode(422);
        assertThat(given()).isEqualTo(40);
    }

    @Test
    void idempotencyKeysOfTheAccountAreOthers() {
        account.buyOnce(key, FORTY).then().statusCode(201);

        give(account, FORTY).then().statusCode(201).body("credits", equalTo(80));
    }

    @Test
    void grantToNoAccountLeavesTheIdempotencyKeyUsable() {
        operateOnce(key, NO_ACCOUNT + "/credits", FORTY).then().statusCode(404);

        give(account, FORTY).then().statusCode(201);
    }

    private Response give(TestAccount to, String json) {
        return operateOnce(key, "/operator/accounts/" + to.id() + "/credits", json);
    }

    private long given() {
        return TestDatabase.count(
                "SELECT sum(credits) FROM credit_entry WHERE origin = 'operator' AND account_id = ?::uuid",
                account.id());
    }

    @Test
    void deletedAccountIsGoneWithEverythingItOwns() {
        String address = account.waitingAddress(600);
        account.waitingAddress(600);
        account.buyOnce("k", "{\"credits\":5}").then().statusCode(201);
        String sent = account.created(TestAccount.SEND);
        TestDatabase.update(
                "INSERT INTO send_settlement (address_id, account_id, outcome, attempts, settled_at)"
                        + " SELECT id, account_id, 'RELAYED', 1, now() FROM address WHERE id = ?",
                sent);
        String received = account.received(TestMail.SIMPLE);

        account.remove().then().statusCode(204);

        account.get(address).then().statusCode(401);
        operator().get(path).then().statusCode(404);
        for (String table : List.of("address", "kept_response", "rate_bucket", "send_settlement")) {
            assertThat(account.rows(table)).as(table).isZero();
        }
        assertThat(TestDatabase.mails(received)).isZero();
        assertThat(TestDatabase.count("SELECT count(*) FROM account WHERE id = ?::uuid", account.id()))
                .isZero();
        assertThat(TestDatabase.outbox(sent)).isZero();
        assertThat(account.rows("credit_entry")).as("the books stay").isEqualTo(1);
        assertThat(audit.texts()).containsExactly("INFO audit operator action=delete accountId=" + account.id());
    }

    @Test
    void removalThatWasCutShortIsTakenUpAgain() {
        account.waitingAddress(600);
        TestDatabase.update("UPDATE account SET deleted_at = now() WHERE id = ?::uuid", account.id());

        operator().get(path).then().statusCode(404);
        account.remove().then().statusCode(204);

        account.remove().then().statusCode(404);
        assertThat(account.rows("address")).isZero();
    }

    @Test
    void markedAccountCanCreateNothingWhateverAReplicaRemembers() {
        account.create("{}").then().statusCode(201);
        TestDatabase.update("UPDATE account SET deleted_at = now() WHERE id = ?::uuid", account.id());

        account.create("{}").then().statusCode(401);
    }

    @ParameterizedTest
    @CsvSource({"PATCH, ''", "DELETE, ''", "POST, /credits", "POST, /api-key"})
    void unknownAccountIsNotFound(String method, String below) {
        Response refused = operator("{\"credits\":1,\"name\":\"x\"}").request(method, NO_ACCOUNT + below);

        assertError(refused, 404, "NOT_FOUND");
        assertThat(audit.texts()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"GET, ''", "PATCH, ''", "DELETE, ''", "POST, /credits", "POST, /api-key"})
    void accountsOwnKeyOpensNothing(String method, String below) {
        TestAccount.management()
                .header("Authorization", "Bearer " + account.apiKey())
                .request(method, path + below)
                .then()
                .statusCode(401);
    }

    private Response patch(String json) {
        return operator(json).patch(path);
    }

    private Response post(String below, String json) {
        return operator(json).post(path + below);
    }
}
