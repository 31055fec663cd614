package dev.oneshot.api.database;

import static dev.oneshot.api.Errors.assertError;
import static dev.oneshot.api.TestAccount.management;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.api.account.SampleKeys;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.local.backends.quarkus.PostgresResource;
import dev.oneshot.testing.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@ServiceTest
class DependenciesAwayTest {

    private static final int ROUNDS = 20;
    private static final String LOG_OF_ERRORS = "dev.oneshot.api.http.ErrorResponses";

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void databaseAwayIsUnavailableAndMailWaitsForIt() {
        String id = account.waitingAddress(3600);
        PostgresResource.stopServer();
        try (LogLines log = LogLines.of(LOG_OF_ERRORS)) {
            TestMail.publish(TestMail.event(id, TestMail.SIMPLE));
            account.get(id)
                    .then()
                    .statusCode(503)
                    .header("Retry-After", matchesPattern("[1-9][0-9]*"))
                    .body("error.code", equalTo("UNAVAILABLE"));
            assertError(account.create("{}"), 503, "UNAVAILABLE");
            TestAccount unknown = new TestAccount("", SampleKeys.signed().reveal());
            unknown.create("{}").then().statusCode(503).body("error.code", equalTo("UNAVAILABLE"));
            // Its signature is checked without the database.
            TestAccount forged = new TestAccount("", "oneshot_" + "0".repeat(56));
            forged.create("{}").then().statusCode(401);
            // If it were not ready, a load balancer would respond in its place.
            management().get("/q/health/ready").then().statusCode(200);
            // One line for all requests.
            assertThat(log.texts())
                    .filteredOn(line -> line.startsWith("WARN request refused"))
                    .hasSizeLessThanOrEqualTo(1);
        } finally {
            PostgresResource.startServer();
        }

        account.awaitReceived(id);
        management().get("/q/health/ready").then().statusCode(200);
    }

    @Test
    void kafkaAwayNeitherStopsNorSlowsTheApi() {
        String id = account.waitingAddress(3600);
        KafkaResource.stopBroker();
        try {
            List<Duration> deletions = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                String created = account.waitingAddress(600);
                account.get(created).then().statusCode(200);
                long begin = System.nanoTime();
                account.request().delete("/v1/addresses/" + created).then().statusCode(204);
                deletions.add(Duration.ofNanos(System.nanoTime() - begin));
            }
            // A deletion that waited for Kafka would take a second, the channel's max.block.ms. The median ignores
            // pauses of the machine.
            assertThat(deletions.stream().sorted().toList().get(ROUNDS / 2)).isLessThan(Duration.ofSeconds(1));
            List.of("ready", "live", "started")
                    .forEach(probe ->
                            management().get("/q/health/" + probe).then().statusCode(200));
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        // A request that is leased before the outage is noticed waits in the producer.
                        account.created(TestAccount.SEND);
                        assertThat(TestMetrics.sum("oneshot_outbox_depth")).isPositive();
                        assertThat(TestMetrics.sum("oneshot_outbox_age_seconds"))
                                .isPositive();
                    });
        } finally {
            KafkaResource.startBroker();
        }
        await().atMost(Duration.ofMinutes(3))
                .untilAsserted(() ->
                        assertThat(TestMetrics.sum("oneshot_outbox_depth")).isZero());

        TestMail.publish(TestMail.event(id, TestMail.SIMPLE));
        account.awaitReceived(id);
    }
}
