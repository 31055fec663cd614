package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.expiry.database.ExpiryDatabase;
import dev.oneshot.expiry.database.TestDatabase;
import dev.oneshot.local.backends.quarkus.PostgresResource;
import dev.oneshot.testing.Sql;
import io.quarkus.arc.Arc;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
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
    void anHourThatIsOverIsDropped() {
        database.insertAddresses("hour", 10, "-2 hours", true);

        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .until(() -> database.number("SELECT count(*) FROM expired_mail_partitions('1 hour')") == 0);
    }

    @Test
    void aMailThatExpiresTomorrowHasItsPartition() {
        Awaitility.await()
                .until(() -> database.number("SELECT create_mail_partitions(now(), now() + interval '47 hours')") == 0);
    }

    @Test
    void managementErrorsHaveTheErrorBody() {
        RestAssured.get(at("/q/nothing")).then().statusCode(404).body("error.code", equalTo("NOT_FOUND"));
    }

    @Test
    void noBatchWaitsForTheDisk() {
        Sql ofTheService = new Sql(Arc.container().instance(DataSource.class).get());
        assertThat(ofTheService.texts("SHOW synchronous_commit")).containsExactly("off");
    }

    @Test
    void theServiceIsHealthyAndTellsItsMetrics() {
        RestAssured.get(at("/q/health")).then().statusCode(200).body("status", equalTo("UP"));
        Awaitility.await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            String metrics = RestAssured.get(at("/q/metrics")).asString();
            for (String name : List.of(
                    "oneshot_expiry_lag_seconds ",
                    "oneshot_expiry_mail_lag_seconds ",
                    "oneshot_expiry_rows_total{sweep=\"expired-addresses\"",
                    "oneshot_expiry_rows_total{sweep=\"forgotten-addresses\"",
                    "oneshot_expiry_rows_total{sweep=\"settled-sends\"",
                    "oneshot_expiry_rows_total{sweep=\"kept-responses\"",
                    // From the start, so that the first failure is an increase.
                    "oneshot_expiry_failures_total{task=\"expired-addresses\"",
                    "oneshot_expiry_batch_seconds_count{sweep=\"expired-addresses\"",
                    "oneshot_expiry_partitions_expired")) {
                assertThat(metrics).contains(name);
            }
            assertThat(metrics).doesNotContain("oneshot_expiry_lag_seconds NaN");
        });
    }

    @Test
    void serviceContinuesWhenTheDatabaseIsBack() {
        PostgresResource.stopServer();
        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .until(() -> RestAssured.get(at("/q/health/ready")).statusCode() == 503);
        assertThat(RestAssured.get(at("/q/health/live")).statusCode()).isEqualTo(200);
        PostgresResource.startServer();

        database.insertAddresses("back", 10, "1 second", true);

        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .until(() -> database.number("SELECT count(*) FROM mail WHERE address_id LIKE 'back%'") == 0);
        assertThat(database.number("SELECT count(*) FROM address WHERE id LIKE 'back%' AND status = 'expired'"))
                .isEqualTo(10);
        RestAssured.get(at("/q/health/ready")).then().statusCode(200);
    }

    private URI at(String path) {
        return Objects.requireNonNull(management).resolve(path);
    }
}
