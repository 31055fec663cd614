package dev.oneshot.api.address;

import static dev.oneshot.api.Errors.assertError;
import static dev.oneshot.api.Errors.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;

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
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class AddressLifeTest {

    private final TestAccount account = TestAccount.onPlan("scale");
    private final TestAccount other = TestAccount.onPlan("scale");

    @ParameterizedTest
    @ValueSource(
            strings = {"x", "aaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaa1", "aaaaaaaaaaaaaaaaaaaaaaaaa", "%00"})
    void unknownIdIsNotFound(String id) {
        account.send("GET", "/v1/addresses/" + id).isError(404, "NOT_FOUND");
        account.send("DELETE", "/v1/addresses/" + id).isError(404, "NOT_FOUND");
    }

    @Test
    void expiredAddressIsGoneBeforeAndAfterTheSweep() {
        String id = account.waitingAddress(600);
        TestDatabase.expire(id);

        assertError(account.get(id), 410, "EXPIRED");
        TestDatabase.sweep(id);
        assertError(account.get(id), 410, "EXPIRED");
    }

    @Test
    void anotherAccountFindsNothing() {
        String id = account.received(TestMail.SIMPLE);

        for (String below : List.of("", "/email", "/email/raw", "/email/attachments/0")) {
            other.get(id + below).then().statusCode(404);
        }
        other.delete(id).then().statusCode(404);
        TestDatabase.expire(id);
        other.get(id).then().statusCode(404);
        account.delete(id).then().statusCode(204);
    }

    @Test
    void deletingAnExpiredAddressRemovesItsRow() {
        String id = account.waitingAddress(600);
        TestDatabase.expire(id);
        TestDatabase.sweep(id);

        account.delete(id).then().statusCode(204);

        account.get(id).then().statusCode(404);
        account.delete(id).then().statusCode(404);
    }

    /** A send-mode address is announced too, so that it accepts no bounces. */
    @Test
    void deletedAddressIsAnnouncedUnlessItHadExpired() {
        String expired = account.waitingAddress(600);
        String sending = account.created(TestAccount.SEND);
        TestDatabase.expire(expired);

        account.delete(expired).then().statusCode(204);
        account.delete(sending).then().statusCode(204);

        TestTopic.awaitOne(Topic.ADDRESS_CLOSED, sending);
        assertThat(TestTopic.read(Topic.ADDRESS_CLOSED, expired)).isEmpty();
    }

    @Test
    void deletedAddressIsGoneWithItsMailAndAnnounced() throws Exception {
        String id = account.received(TestMail.SIMPLE);
        assertThat(TestDatabase.mails(id)).isEqualTo(1);

        account.delete(id).then().statusCode(204).body(emptyString());

        assertThat(TestDatabase.mails(id)).isZero();
        account.get(id + "/email").then().statusCode(404);
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
            deleted.add(account.labelledAddress(label));
        }
        account.receive(TestMail.event(deleted.getFirst(), TestMail.SIMPLE));
        TestDatabase.expire(deleted.getLast());
        String kept = account.labelledAddress(label + "x");
        String unlabelled = account.waitingAddress(600);
        String others = other.labelledAddress(label);

        account.deleteLabelled(label).then().statusCode(204).body(emptyString());

        deleted.forEach(id -> account.get(id).then().statusCode(404));
        assertThat(TestDatabase.mails(deleted.getFirst())).isZero();
        account.get(kept).then().statusCode(200);
        account.get(unlabelled).then().statusCode(200);
        other.get(others).then().statusCode(200);
        account.deleteLabelled(label).then().statusCode(204);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/address/refused-deletions.txt", delimiter = '|', quoteCharacter = '`')
    void bulkDeletionThatIsAskedForAnythingButOneLabelIsRefusedAndDeletesNothing(String query, String message) {
        String id = account.labelledAddress("x");

        assertThat(account.send("DELETE", "/v1/addresses" + query)
                        .isError(400, "VALIDATION_ERROR")
                        .text())
                .contains(message);

        account.get(id).then().statusCode(200);
    }

    @Test
    void semicolonInAQueryIsPartOfTheLabel() {
        String kept = account.labelledAddress("a");
        String deleted = account.labelledAddress("a;b");

        account.send("DELETE", "/v1/addresses?label=a;b").has(204);

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
}
