package dev.oneshot.mailer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.mailer.sending.RelayResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(KafkaResource.class)
@WithTestResource(RelayResource.class)
class MailerHealthTest {

    @TestHTTPResource(value = "/", management = true)
    @Nullable
    URI management;

    @Test
    void theServiceIsHealthyWhenItsBrokerIsThere() {
        RestAssured.get(at("/q/health"))
                .then()
                .statusCode(200)
                .body("status", equalTo("UP"))
                .body("checks.name", hasItem(startsWith("SmallRye Reactive Messaging")));
    }

    @Test
    void theServiceTellsItsMetrics() {
        assertThat(RestAssured.get(at("/q/metrics")).asString())
                .contains(
                        "jvm_memory_used_bytes",
                        "oneshot_mailer_settled_seconds_bucket{outcome=\"relayed\"",
                        "oneshot_mailer_delayed_total",
                        "oneshot_mailer_in_flight",
                        "kafka_consumer_fetch_manager_records_lag_max");
    }

    private URI at(String path) {
        return Objects.requireNonNull(management).resolve(path);
    }
}
