package dev.oneshot.mailer.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.backends.quarkus.KafkaResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.smallrye.reactive.messaging.providers.extension.HealthCenter;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(KafkaResource.class)
@WithTestResource(RelayResource.class)
class MailerReadinessTest {

    private static final Duration STEP_TIMEOUT = Duration.ofMinutes(3);

    @TestHTTPResource(value = "/", management = true)
    @Nullable
    URI management;

    private final HealthCenter channels;

    MailerReadinessTest(HealthCenter channels) {
        this.channels = channels;
    }

    @Test
    void mailerStaysReadyWithoutBrokers() {
        await().atMost(STEP_TIMEOUT).until(() -> status() == 200);
        KafkaResource.stopBroker();
        try {
            await().atMost(STEP_TIMEOUT).until(() -> !channels.getReadiness().isOk());
            assertThat(status()).isEqualTo(200);
        } finally {
            KafkaResource.startBroker();
        }
        await().atMost(STEP_TIMEOUT).until(() -> channels.getReadiness().isOk());
    }

    private int status() {
        return RestAssured.get(Objects.requireNonNull(management).resolve("/q/health/ready"))
                .statusCode();
    }
}
