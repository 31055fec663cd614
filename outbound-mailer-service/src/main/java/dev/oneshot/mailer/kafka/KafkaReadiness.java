package dev.oneshot.mailer.kafka;

import dev.oneshot.contracts.event.Topic;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Up when Kafka tells about the requests' topic. It is asked by a client like those that do the work, with the same
 * {@link KafkaConfig#client() settings}, as the check of Quarkus knows nothing of these.
 */
@Readiness
@Singleton
final class KafkaReadiness implements HealthCheck {

    private static final int TIMEOUT_MS = Math.toIntExact(Duration.ofSeconds(3).toMillis());

    private final Admin admin;

    KafkaReadiness(KafkaClients clients) {
        this.admin = clients.admin();
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder check = HealthCheckResponse.named("kafka");
        String topic = Topic.MAIL_REQUESTED.topicName();
        try {
            admin.describeTopics(List.of(topic), new DescribeTopicsOptions().timeoutMs(TIMEOUT_MS))
                    .allTopicNames()
                    .get();
            return check.up().build();
        } catch (ExecutionException e) {
            return check.down().withData("reason", String.valueOf(e.getCause())).build();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return check.down().withData("reason", "interrupted").build();
        }
    }

    @PreDestroy
    void close() {
        admin.close(Duration.ZERO);
    }
}
