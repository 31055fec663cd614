package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.expiry.database.ExpiryDatabase;
import dev.oneshot.expiry.database.TestDatabase;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(ExpiryDatabase.class)
class ExpiryServiceTest {

    private final TestDatabase database =
            TestDatabase.at(ConfigProvider.getConfig().getValue("oneshot.database.url", String.class));

    @TestHTTPResource(value = "/", management = true)
    @Nullable
    URI management;

    @Test
    void contentIsGoneWithinFiveSecondsOfItsExpiry() {
        database.insertAddresses("prompt", 100, "1 second", true);

        Awaitility.await()
                .atMost(Duration.ofSeconds(6))
                .until(() -> database.number("SELECT count(*) FROM mail WHERE address_id LIKE 'prompt%'") == 0);

        assertThat(database.number("SELECT count(*) FROM address WHERE id LIKE 'prompt%' AND status = 'expired'"))
                .isEqualTo(100);
    }

    @Test
    void anHourThatIsOverIsDropped() {
        database.insertAddresses("hour", 10, "-2 hours", true);

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> database.number("SELECT count(*) FROM expired_mail_partitions('0')") == 0);
    }

    @Test
    void aMailThatExpiresTomorrowHasItsPartition() {
        Awaitility.await()
                .until(() -> database.number("SELECT create_mail_partitions(now(), now() + interval '47 hours')") == 0);
    }

    @Test
    void theServiceIsHealthyAndTellsItsMetrics() {
        RestAssured.get(at("/q/health")).then().statusCode(200).body("status", equalTo("UP"));
        Awaitility.await().untilAsserted(() -> {
            String metrics = RestAssured.get(at("/q/metrics")).asString();
            for (String name : List.of(
                    "oneshot_expiry_lag_seconds ",
                    "oneshot_expiry_rows_total{sweep=\"expired-addresses\"}",
                    "oneshot_expiry_rows_total{sweep=\"forgotten-addresses\"}",
                    "oneshot_expiry_batch_seconds_count{sweep=\"expired-addresses\"}",
                    "oneshot_expiry_partitions_created_total",
                    "oneshot_expiry_partitions_dropped_total",
                    "oneshot_expiry_partitions_lock_timeouts_total",
                    "oneshot_expiry_partitions_expired")) {
                assertThat(metrics).contains(name);
            }
            assertThat(metrics).doesNotContain("oneshot_expiry_lag_seconds NaN");
        });
    }

    private URI at(String path) {
        return Objects.requireNonNull(management).resolve(path);
    }
}
