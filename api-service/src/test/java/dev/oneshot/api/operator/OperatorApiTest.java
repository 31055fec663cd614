package dev.oneshot.api.operator;

import static dev.oneshot.api.Errors.assertError;
import static dev.oneshot.api.Errors.assertInvalid;
import static dev.oneshot.api.TestAccount.management;
import static dev.oneshot.api.TestAccount.operator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.testing.RawConnection;
import io.restassured.response.Response;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class OperatorApiTest {

    private static Response create(String json) {
        return operator(json).post("/operator/accounts");
    }

    @Test
    void createdAccountHasAKeyThatWorksAndIsShownOnce() {
        Response created = create("{\"name\":\"Ann & Söhne\",\"plan\":\"pro\"}");

        created.then()
                .statusCode(201)
                .header("Cache-Control", "no-store")
                .header("X-Request-Id", notNullValue())
                .body("name", equalTo("Ann & Söhne"))
                .body("plan", equalTo("pro"))
                .body("api_key", matchesPattern("oneshot_[0-9A-Za-z]{56}"))
                .body("monthly_allocation", equalTo(10_000))
                .body("used", equalTo(0))
                .body("credits", equalTo(0));
        Instant ends = Instant.parse(created.path("billing_cycle_ends"));
        assertThat(Duration.between(Instant.now(), ends)).isBetween(Duration.ofDays(27), Duration.ofDays(31));
        TestAccount account = TestAccount.of(created);
        account.create("{}").then().statusCode(201);
        assertThat(TestDatabase.count(
                        "SELECT count(*) FROM account WHERE api_key_sha256 = sha256(convert_to(?, 'UTF8'))",
                        account.apiKey()))
                .as("only a hash of the key is kept")
                .isEqualTo(1);
        operator()
                .get("/operator/accounts/" + account.id())
                .then()
                .statusCode(200)
                .body("id", equalTo(account.id()))
                .body("used", equalTo(1))
                .body("$", not(hasKey("api_key")));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/operator/refused-accounts.txt", delimiter = '|', quoteCharacter = '`')
    void whatIsNoAccountIsRefused(String body, String message) {
        Response refused = create(body);

        assertError(refused, 400, "VALIDATION_ERROR");
        assertThat(refused.<String>path("error.message")).startsWith(message);
    }

    @Test
    void contactEmailIsSetChangedAndRemoved() {
        Response created = create("{\"name\":\"x\",\"plan\":\"free\",\"contact_email\":\"ops@example.com\"}");
        TestAccount account = TestAccount.of(created);

        created.then().body("contact_email", equalTo("ops@example.com"));
        account.read().then().body("contact_email", equalTo("ops@example.com"));
        String other = "jörg@bücher.example";
        change(account, "{\"contact_email\":\"" + other + "\"}").then().body("contact_email", equalTo(other));
        change(account, "{\"name\":\"y\"}").then().statusCode(200).body("contact_email", equalTo(other));
        change(account, "{\"contact_email\":\"\"}").then().statusCode(200).body("$", not(hasKey("contact_email")));
        account.read().then().body("$", not(hasKey("contact_email")));
    }

    private static Response change(TestAccount account, String json) {
        return operator(json).patch("/operator/accounts/" + account.id());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nobody", "a b@example.com", "Ann <ann@example.com>", "a@example.com\\r\\nBcc: b@example.com"})
    void contactEmailThatIsNoMailboxIsRejected(String contactEmail) {
        assertInvalid(
                create("{\"name\":\"x\",\"plan\":\"free\",\"contact_email\":\"" + contactEmail + "\"}"),
                "contact_email must be an e-mail address");
        change(TestAccount.onPlan("free"), "{\"contact_email\":\"" + contactEmail + "\"}")
                .then()
                .statusCode(400);
    }

    @Test
    void nameIsBounded() {
        create("{\"name\":\"" + "é".repeat(255) + "\",\"plan\":\"free\"}")
                .then()
                .statusCode(201);
        create("{\"name\":\"" + "é".repeat(256) + "\",\"plan\":\"free\"}")
                .then()
                .statusCode(400);
    }

    /** The framework reads at most a mebibyte. */
    @ParameterizedTest
    @CsvSource({
        "application/json, 65537, 413, PAYLOAD_TOO_LARGE",
        "application/json, 1048577, 413, PAYLOAD_TOO_LARGE",
        "text/plain, 2, 415, UNSUPPORTED_MEDIA_TYPE"
    })
    void bodyIsBoundedAndHasToBeJson(String contentType, int bytes, int status, String code) {
        Response refused =
                operator().contentType(contentType).body(" ".repeat(bytes)).post("/operator/accounts");

        assertError(refused, status, code);
        refused.then().header("X-Request-Id", notNullValue());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/operator/refused-targets.txt")
    void targetThatIsNotOfferedIsRejectedWithAnErrorBody(String target, int status, String error) throws IOException {
        assertThat(get("/operator/" + target))
                .startsWith("HTTP/1.1 " + status + " ")
                .contains(status == 400 ? "\"VALIDATION_ERROR\"" : "\"NOT_FOUND\"", error)
                .containsIgnoringCase("\r\nX-Request-Id: ");
    }

    @Test
    void targetIsBounded() throws IOException {
        String path = "/operator/openapi?x=";

        assertThat(get(path + "a".repeat(8_000 - path.length()))).startsWith("HTTP/1.1 200 ");
        assertThat(get(path + "a".repeat(8_001 - path.length())))
                .startsWith("HTTP/1.1 414 ")
                .contains("URI_TOO_LONG");
    }

    private static String get(String target) throws IOException {
        return RawConnection.exchange(
                RawHttp.managementPort(),
                "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                        + TestAccount.OPERATOR_TOKEN + "\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer x", "Bearer ", "Basic operator-token-of-the-tests", "operator-token-of-the-tests"})
    void withoutTheTokenEveryPathIsUnauthorized(String authorization) {
        for (String path : List.of("/operator/accounts", "/operator/accounts/x", "/operator/nothing")) {
            Response refused =
                    management().header("Authorization", authorization).get(path);
            assertError(refused, 401, "UNAUTHORIZED");
            refused.then().header("WWW-Authenticate", "Bearer").header("X-Request-Id", notNullValue());
        }
        management().get("/operator/accounts").then().statusCode(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {";x=y", "%00", "%2e", "/%2e"})
    void pathOfAnAccountIsTakenAsItIsWritten(String suffix) throws IOException {
        assertThat(get("/operator/accounts/" + TestAccount.onPlan("free").id() + suffix))
                .startsWith("HTTP/1.1 404 ")
                .contains("\"NOT_FOUND\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "*/*;q=0", "application/json;q=0, */*"})
    void requestThatDoesNotAcceptJsonChangesNothing(String accept) {
        String path = "/operator/accounts/" + TestAccount.onPlan("free").id();

        assertError(
                operator().header("Accept", accept).delete(path),
                406,
                "NOT_ACCEPTABLE",
                "Accept must allow application/json");

        operator()
                .header("Accept", "text/html;q=0.5, application/json;q=0.1")
                .get(path)
                .then()
                .statusCode(200);
    }

    @Test
    void accountsAreListedNewestFirstPageByPage() {
        List<String> created =
                Stream.generate(() -> TestAccount.onPlan("free").id()).limit(3).toList();

        Response first = list(Map.of("limit", 2));
        Response second = list(Map.of("limit", 1, "cursor", first.<String>path("next_cursor")));

        first.then()
                .body("items.id", contains(created.get(2), created.get(1)))
                .body("items[0]", not(hasKey("api_key")));
        second.then().body("items.id", contains(created.get(0)));
        list(Map.of("cursor", "x")).then().statusCode(400);
        list(Map.of("limit", "0")).then().statusCode(400);
        list(Map.of("limit", "100")).then().statusCode(200);
    }

    private static Response list(Map<String, ?> parameters) {
        return operator().queryParams(parameters).get("/operator/accounts");
    }
}
