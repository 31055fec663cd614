package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;

import dev.oneshot.contracts.event.Topic;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises hold when the clocks of the nodes differ. The skew is minutes, so that no test depends on its speed. */
@ServiceTest
class ClockSkewTest {

    private static final List<String> READS = List.of("", "/email", "/email/raw");

    private final TestAccount account = TestAccount.onPlan("scale");

    @AfterEach
    void putClockRight() {
        TestClock.putRight();
    }

    @Test
    void aliveForTheDatabaseIsReadableThoughTheReplicasClockIsPastItsExpiry() {
        String id = account.received(TestMail.SIMPLE);
        expires(id, "now() + interval '5 minutes'");

        TestClock.putWrong(Duration.ofMinutes(10));

        READS.forEach(read -> account.get(id + read).then().statusCode(200));
        account.request().get("/v1/addresses?status=received").then().body("items.id", hasItem(id));
        account.request().get("/v1/addresses?status=expired").then().body("items", hasSize(0));
    }

    @Test
    void expiredForTheDatabaseIsGoneThoughTheReplicasClockIsBefore() {
        String id = account.received(TestMail.SIMPLE);
        expires(id, "now()");

        TestClock.putWrong(Duration.ofMinutes(-10));

        READS.forEach(read -> account.get(id + read).then().statusCode(410));
        account.request().get("/v1/addresses?status=received").then().body("items", hasSize(0));
        account.request().get("/v1/addresses?status=expired").then().body("items.id", hasItem(id));
    }

    @ParameterizedTest
    @ValueSource(longs = {-5, 0, 5})
    void addressOfAReplicaWhoseClockIsWrongLivesUntilTheExpiryInTheResponse(long seconds) {
        TestClock.putWrong(Duration.ofSeconds(seconds));

        Response created = account.create("{\"ttl_seconds\":60}");

        String expiresAt = created.then().statusCode(201).extract().path("expires_at");
        String sql = "SELECT count(*) FROM address WHERE id = ? AND expires_at = '" + Instant.parse(expiresAt) + "'";
        assertThat(TestDatabase.count(sql, created.<String>path("id"))).isEqualTo(1);
        account.get(created.path("id")).then().statusCode(200);
    }

    @Test
    void mailFromANodeWhoseClockIsAheadIsReadable() {
        String id = account.waitingAddress(3600);

        publish(id, Instant.now().plus(Duration.ofMinutes(10)));

        account.awaitReceived(id);
    }

    @Test
    void mailThatANodeWhoseClockIsBehindTookAfterTheExpiryIsNotStored() {
        String id = account.waitingAddress(3600);
        expires(id, "now()");

        publish(id, Instant.now().minus(Duration.ofMinutes(10)));

        account.awaitEverythingBefore(id);
        assertThat(TestDatabase.mails(id)).isZero();
        account.get(id).then().statusCode(410);
    }

    @Test
    void storedMailLeavesKafkaAfterTheReplicasClockWasSetBack() {
        TestClock.putWrong(Duration.ofMinutes(10));
        account.received(TestMail.SIMPLE);
        awaitNoMailInKafka();

        TestClock.putRight();

        account.received(TestMail.SIMPLE);
        awaitNoMailInKafka();
    }

    private static void awaitNoMailInKafka() {
        await().untilAsserted(
                        () -> assertThat(TestTopic.readable(Topic.MAIL_INBOUND)).isZero());
    }

    private static void publish(String id, Instant receivedAt) {
        TestMail.publish(TestMail.at(receivedAt, TestMail.event(id, TestMail.SIMPLE)));
    }

    /** Moves the expiry of an address and of its mail, by the database's clock. */
    private static void expires(String id, String when) {
        TestDatabase.update(
                "WITH moved AS (UPDATE mail SET expires_at = " + when + " WHERE address_id = ? RETURNING address_id)"
                        + " UPDATE address SET expires_at = " + when + " WHERE id = '" + id + "'",
                id);
    }
}
