package dev.oneshot.mailer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.backends.TemporaryBackends;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

class KafkaReadinessTest {

    private static final String BROKER = TemporaryBackends.kafka().bootstrapServers();

    @Test
    void aBrokerThatAnswersIsReady() {
        assertThat(check(Map.of()).getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void theSettingsOfOurClientsAreThoseThatAreChecked() {
        HealthCheckResponse response = check(Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"p\";"));

        assertThat(response.getStatus()).isEqualTo(Status.DOWN);
        assertThat(response.getData())
                .hasValueSatisfying(data -> assertThat(data).containsKey("reason"));
    }

    private static HealthCheckResponse check(Map<String, String> client) {
        KafkaReadiness readiness = new KafkaReadiness(new KafkaClients(new Config(BROKER, client)));
        try {
            return readiness.call();
        } finally {
            readiness.close();
        }
    }

    private record Config(String bootstrapServers, Map<String, String> client) implements KafkaConfig {}
}
