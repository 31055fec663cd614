package dev.oneshot.api.address;

import static dev.oneshot.api.Errors.assertError;
import static dev.oneshot.api.Errors.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class AddressLifeTest {

    private final TestAccount account = TestAccount.onPlan("scale");
    private final TestAccount other = TestAccount.onPlan("scale");

    private String labelled(String label) {
        var created = account.create("{\"label\":\"" + label + "\"}");
        created.then().statusCode(201);
        return created.path("id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x", "aaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaa1", "aaaaaaaaaaaaaaaaaaaaaaaaa", "%00"})
    void idThatIsNobodysIsNotFound(String id) {
        assertError(account.request().urlEncodingEnabled(false).get("/v1/addresses/" + id), 404, "NOT_FOUND");
        assertError(account.request().urlEncodingEnabled(false).delete("/v1/addresses/" + id), 404, "NOT_FOUND");
    }

    @Test
    void expiredAddressIsGoneBeforeAndAfterTheSweep() {
        String id = account.waitingAddress(600);
        TestDatabase.expire(id);

        assertError(account.get(id), 410, "EXPIRED");
        TestDatabase.sweep(id);
        assertError(account.get(id), 410, "EXPIRED");
        other.get(id).then().statusCode(404);
    }

    @Test
    void deletingAnExpiredAddressRemovesItsRow() {
        String id = account.waitingAddress(600);
        TestDatabase.expire(id);
        TestDatabase.sweep(id);

        account.request().delete("/v1/addresses/" + id).then().statusCode(204);

        account.get(id).then().statusCode(404);
        account.request().delete("/v1/addresses/" + id).then().statusCode(404);
    }

    @Test
    void deletedAddressIsAnnouncedUnlessItHadExpired() {
        String expired = account.waitingAddress(600);
        String alive = account.waitingAddress(600);
        TestDatabase.expire(expired);

        account.request().delete("/v1/addresses/" + expired).then().statusCode(204);
        account.request().delete("/v1/addresses/" + alive).then().statusCode(204);

        TestTopic.awaitOne(Topic.ADDRESS_CLOSED, alive);
        assertThat(TestTopic.read(Topic.ADDRESS_CLOSED, expired)).isEmpty();
    }

    @Test
    void deletedSendingAddressIsAnnouncedSoThatItTakesNoBounces() {
        String id = account.create("{\"mode\":\"send\",\"send\":{\"to\":\"a@b.example\",\"subject\":\"s\"}}")
                .path("id");

        account.request().delete("/v1/addresses/" + id).then().statusCode(204);

        TestTopic.awaitOne(Topic.ADDRESS_CLOSED, id);
    }

    @Test
    void deletedAddressIsGoneWithItsMailAndAnnounced() throws Exception {
        String id = account.waitingAddress(600);
        account.receive(TestMail.event(id, TestMail.SIMPLE));
        assertThat(TestDatabase.mails(id)).isEqualTo(1);

        account.request().delete("/v1/addresses/" + id).then().statusCode(204).body(emptyString());

        assertThat(TestDatabase.mails(id)).isZero();
        account.get(id).then().statusCode(404);
        account.get(id + "/email").then().statusCode(404);
        account.request().delete("/v1/addresses/" + id).then().statusCode(404);
        await().untilAsserted(() ->
                assertThat(TestTopic.read(Topic.ADDRESS_CLOSED, id)).hasSize(2));
        AddressClosed closed = EventCodec.decodeAddressClosed(
                TestTopic.read(Topic.ADDRESS_CLOSED, id).getLast().value());
        assertThat(closed.reason()).isEqualTo(AddressClosed.Reason.DELETED);
    }

    @Test
    void bulkDeletionTakesTheLabelExactlyAndThisAccountOnly() {
        String label = "bulk ä/&?=%";
        List<String> deleted = new ArrayList<>();
        // More than two batches of three, as in the tests' configuration.
        for (int i = 0; i < 7; i++) {
            deleted.add(labelled(label));
        }
        account.receive(TestMail.event(deleted.getFirst(), TestMail.SIMPLE));
        TestDatabase.expire(deleted.getLast());
        String kept = labelled(label + "x");
        String unlabelled = account.waitingAddress(600);
        String others = other.create("{\"label\":\"" + label + "\"}").path("id");

        account.request()
                .queryParam("label", label)
                .delete("/v1/addresses")
                .then()
                .statusCode(204)
                .body(emptyString());

        deleted.forEach(id -> account.get(id).then().statusCode(404));
        assertThat(TestDatabase.mails(deleted.getFirst())).isZero();
        account.get(kept).then().statusCode(200);
        account.get(unlabelled).then().statusCode(200);
        other.get(others).then().statusCode(200);
        account.request()
                .queryParam("label", label)
                .delete("/v1/addresses")
                .then()
                .statusCode(204);
    }

    @ParameterizedTest
    @CsvSource({
        "'', label must be given",
        "?label=, label must be given",
        "?label, label must be given",
        "?label=a%00b, label must not have control characters",
        "?label=x&status=received, status is no parameter",
        "?label=x&mode=send, mode is no parameter",
        "?limit=1&label=x, limit is no parameter",
        "?LABEL=x, LABEL is no parameter",
        "?label=x&Label=x, Label is no parameter",
        "?label=x&label=x, label must be given once",
        "?label=x&label=y, label must be given once",
    })
    void bulkDeletionThatIsAskedForAnythingButOneLabelIsRefusedAndDeletesNothing(String query, String message) {
        String id = labelled("x");

        account.request()
                .urlEncodingEnabled(false)
                .delete("/v1/addresses" + query)
                .then()
                .statusCode(400)
                .body("error.code", equalTo("VALIDATION_ERROR"))
                .body("error.message", startsWith(message));

        account.get(id).then().statusCode(200);
    }

    @Test
    void semicolonInAQueryIsPartOfTheLabel() {
        String kept = labelled("a");
        String deleted = labelled("a;b");

        account.request()
                .urlEncodingEnabled(false)
                .delete("/v1/addresses?label=a;b")
                .then()
                .statusCode(204);

        account.get(deleted).then().statusCode(404);
        account.get(kept).then().statusCode(200);
    }

    @Test
    void labelsOfTheLongestLengthAreTakenAndLongerOnesRefused() {
        String longest = "\uD83D\uDE00".repeat(255);

        account.create("{\"label\":\"" + longest + "\"}").then().statusCode(201).body("label", equalTo(longest));
        assertInvalid(
                account.create("{\"label\":\"" + longest + "x\"}"), "label must have between 1 and 255 characters");
    }

    @Test
    void everyCreatedAddressCountsInTheBillingCycleAndARefusedOneDoesNot() {
        TestAccount counted = TestAccount.onPlan("free");

        counted.create("{}").then().statusCode(201);
        counted.create("{}").then().statusCode(201);
        counted.create("{\"ttl_seconds\":1}").then().statusCode(400);
        counted.create("{\"ttl_seconds\":86400}").then().statusCode(422);

        assertThat(TestDatabase.count("SELECT used FROM account WHERE id = ?::uuid", counted.id()))
                .isEqualTo(2);
    }
}
