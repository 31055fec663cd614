package dev.oneshot.api.address;

import static dev.oneshot.api.Errors.assertError;
import static dev.oneshot.api.Errors.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestMail;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class AddressListTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    private Response list(Map<String, ?> parameters) {
        return account.request().queryParams(parameters).get("/v1/addresses");
    }

    @Test
    void emptyListHasNoNextPage() {
        list(Map.of())
                .then()
                .statusCode(200)
                .body("items", empty())
                .body("next_cursor", nullValue())
                .body("$", hasKey("next_cursor"));
    }

    @Test
    void itemsHaveTheFieldsOfTheContractAndTheNewestIsFirst() {
        String first = account.waitingAddress(600);
        String second = account.labelledAddress("x");

        list(Map.of())
                .then()
                .statusCode(200)
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .body("items.id", contains(second, first))
                .body("items[0].address", equalTo(second + "@in.oneshot.localhost"))
                .body("items[0].mode", equalTo("receive"))
                .body("items[0].status", equalTo("waiting"))
                .body("items[0].label", equalTo("x"))
                .body("items[1].label", nullValue())
                .body("items[0]", not(hasKey("send_to")));
    }

    @Test
    void onlyTheCallersAddressesAreListed() {
        TestAccount.onPlan("free").waitingAddress(600);
        String mine = account.waitingAddress(600);

        list(Map.of()).then().body("items.id", contains(mine));
    }

    @Test
    void statusSaysWhatIsTrueNowSweptOrNot() {
        String waiting = account.waitingAddress(600);
        String received = account.received(TestMail.SIMPLE);
        String expiredWithMail = account.received(TestMail.SIMPLE);
        TestDatabase.expire(expiredWithMail);
        String swept = account.waitingAddress(600);
        TestDatabase.expire(swept);
        TestDatabase.sweep(swept);

        list(Map.of("status", "waiting")).then().body("items.id", contains(waiting));
        list(Map.of("status", "received"))
                .then()
                .body("items.id", contains(received))
                .body("items[0].email.subject", equalTo("Hello"))
                .body("items[0].email.from", equalTo("ann@example.org"));
        list(Map.of("status", "expired"))
                .then()
                .body("items.id", contains(swept, expiredWithMail))
                .body("items.status", contains("expired", "expired"))
                .body("items.email", contains(nullValue(), nullValue()));
        list(Map.of("status", "sent")).then().body("items", empty());
        list(Map.of()).then().body("items.id", contains(swept, expiredWithMail, received, waiting));
    }

    @Test
    void filtersNarrowTheList() {
        String a = account.labelledAddress("a");
        account.labelledAddress("A");
        account.labelledAddress("ab");

        list(Map.of("label", "a")).then().body("items.id", contains(a));
        list(Map.of("label", "a", "mode", "receive", "status", "waiting"))
                .then()
                .body("items.id", contains(a));
        list(Map.of("label", "a", "mode", "send")).then().body("items", empty());
        list(Map.of("mode", "receive")).then().body("items", hasSize(3));
        list(Map.of("label", "none")).then().statusCode(200).body("items", empty());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/address/refused-parameters.txt", delimiter = '|', quoteCharacter = '`')
    void wrongParametersAreRefusedByName(String parameter, String value) {
        Response refused = list(Map.of(parameter, value));

        assertError(refused, 400, "VALIDATION_ERROR");
        assertThat(refused.<String>path("error.message")).startsWith(parameter);
    }

    /** An ignored filter would list all addresses. */
    @ParameterizedTest
    @ValueSource(strings = {"LABEL", "lable", "page", "offset"})
    void parameterThatThereIsNotIsRefused(String parameter) {
        assertInvalid(
                list(Map.of(parameter, "x", "limit", 10)),
                parameter + " is no parameter of this request, which takes only status, label, mode, limit, cursor");
    }

    @Test
    void twentyAreListedUnlessAskedForOtherwise() {
        for (int i = 0; i < 22; i++) {
            account.waitingAddress(600);
        }

        list(Map.of()).then().body("items", hasSize(20)).body("next_cursor", not(nullValue()));
        list(Map.of("limit", 1)).then().body("items", hasSize(1)).body("next_cursor", not(nullValue()));
        list(Map.of("limit", 22)).then().body("items", hasSize(22)).body("next_cursor", nullValue());
        list(Map.of("limit", 100)).then().body("items", hasSize(22)).body("next_cursor", nullValue());
    }

    @Test
    void walkMeetsEveryAddressOnceWhileOthersAreCreatedAndDeleted() {
        List<String> existing = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            existing.addFirst(account.waitingAddress(600));
        }
        // Several in the same microsecond: the id decides.
        TestDatabase.update(
                "UPDATE address SET created_at = date_trunc('minute', now()) WHERE account_id = ?::uuid"
                        + " AND right(id, 1) < 'p'",
                account.id());
        List<String> order = list(Map.of("limit", 100)).path("items.id");
        assertThat(order).containsExactlyInAnyOrderElementsOf(existing);

        List<String> met = new ArrayList<>();
        String cursor = null;
        do {
            Response page = list(cursor == null ? Map.of("limit", 3) : Map.of("limit", 3, "cursor", cursor));
            page.then().statusCode(200);
            met.addAll(page.path("items.id"));
            cursor = page.path("next_cursor");
            account.waitingAddress(600);
            account.delete(met.getLast()).then().statusCode(204);
        } while (cursor != null);

        assertThat(met).containsExactlyElementsOf(order);
    }

    @Test
    void cursorFitsNoOtherListAndNoOtherAccount() {
        for (int i = 0; i < 3; i++) {
            account.labelledAddress("x");
        }
        String cursor = list(Map.of("limit", 1, "label", "x")).path("next_cursor");
        TestAccount other = TestAccount.onPlan("free");

        list(Map.of("label", "x", "cursor", cursor)).then().statusCode(200).body("items", hasSize(2));
        List.of(
                        Map.of("cursor", cursor),
                        Map.of("label", "y", "cursor", cursor),
                        Map.of("label", "x", "status", "waiting", "cursor", cursor),
                        Map.of("label", "x", "mode", "receive", "cursor", cursor))
                .forEach(parameters -> assertError(list(parameters), 400, "VALIDATION_ERROR"));
        Map<String, String> same = Map.of("label", "x", "cursor", cursor);
        assertError(other.request().queryParams(same).get("/v1/addresses"), 400, "VALIDATION_ERROR");
    }
}
