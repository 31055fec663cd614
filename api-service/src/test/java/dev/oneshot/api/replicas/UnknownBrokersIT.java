package dev.oneshot.api.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.backends.TemporaryBackends;
import io.restassured.path.json.JsonPath;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** While no broker is ready, a cluster may not even have the DNS name. */
class UnknownBrokersIT {

    /** A label of a name has at most 63 characters, so no DNS server is needed. */
    private static final String NO_NAME = "b".repeat(64) + ":9092";

    @Test
    void serviceStartsAndServesAndGoesOnTrying() {
        Replica service = Replica.start(
                "unknown-brokers",
                "192m",
                // It counts all rows of the outbox.
                TemporaryBackends.postgres(),
                Replica.Shared.KAFKA,
                Map.of("KAFKA_BOOTSTRAP_SERVERS", NO_NAME));
        try {
            service.awaitReady();
            String key = JsonPath.from(service.operate("POST", "/accounts", "{\"name\":\"test\",\"plan\":\"free\"}")
                            .body())
                    .getString("api_key");

            assertThat(service.send(
                                    "POST",
                                    "/v1/addresses",
                                    key,
                                    "{\"mode\":\"send\",\"send\":{\"to\":\"a@b.example\",\"subject\":\"x\"}}")
                            .statusCode())
                    .isEqualTo(201);

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(service.metrics())
                            .containsPattern("oneshot_outbox_depth(\\{.*})? 1\\.0")
                            .containsPattern("oneshot_outbox_failures_total(\\{.*})? ([3-9]|\\d\\d+)\\.0"));
        } finally {
            service.kill();
        }
    }
}
