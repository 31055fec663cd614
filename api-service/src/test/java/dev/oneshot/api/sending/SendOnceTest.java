package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.testing.Together;
import io.restassured.response.Response;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A mail that is requested several times with one {@code Idempotency-Key} is sent once. */
@ServiceTest
class SendOnceTest {

    private static final String MAIL = "{\"mode\":\"send\",\"send\":{\"to\":\"ada@example.org\",\"subject\":\"one\"}}";

    private final TestAccount account = TestAccount.onPlan("pro");
    private final String key = UUID.randomUUID().toString();

    @Test
    void afterItsAddressIsGoneARepeatedRequestGetsTheFirstResponseAndSendsNothing() {
        Response first = account.createOnce(key, MAIL);
        String id = first.path("id");
        account.delete(id).then().statusCode(204);

        Response second = account.createOnce(key, MAIL);

        second.then().statusCode(201);
        assertThat(second.asString()).isEqualTo(first.asString());
        account.get(id).then().statusCode(404);
        account.assertUsed(1);
        account.request().get("/v1/addresses").then().body("items", hasSize(0));
    }

    @Test
    void nothingThatTheRequestSaysIsKeptForItsRepetition() {
        account.createOnce(key, """
                {"mode":"send","label":"for-ada","send":{"to":"ada@example.org","subject":"secret"}}""").then().statusCode(201).body("label", equalTo("for-ada"));

        assertThat(TestDatabase.count("SELECT count(*) FROM kept_response WHERE key = ?", key))
                .isEqualTo(1);
        assertThat(TestDatabase.count("SELECT count(*) FROM kept_response WHERE key = ? AND body ~ 'ada|secret'", key))
                .isZero();
    }

    @Test
    void tenAtOnceSendOneMail() {
        List<Response> responses = Together.times(10, () -> account.createOnce(key, MAIL));

        Set<String> created = responses.stream()
                .filter(response -> response.statusCode() == 201)
                .map(Response::asString)
                .collect(Collectors.toSet());
        assertThat(created).hasSize(1);
        assertThat(responses).extracting(Response::statusCode).isSubsetOf(201, 409);
        assertOneMail();
    }

    /** One address, one charge, one request to the mailer. */
    private void assertOneMail() {
        account.assertUsed(1);
        Response list = account.request().get("/v1/addresses");
        list.then().body("items", hasSize(1));
        String id = list.path("items[0].id");
        TestTopic.awaitOne(Topic.MAIL_DUE, id);
        assertThat(TestDatabase.outbox(id)).isLessThanOrEqualTo(1);
        assertThat(TestTopic.read(Topic.MAIL_DUE, id)).hasSize(1);
    }
}
