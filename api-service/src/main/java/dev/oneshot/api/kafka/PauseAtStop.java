package dev.oneshot.api.kafka;

import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * Pauses all consumers when the service begins to stop. Quarkus ends the workers of {@code @Blocking} methods before the connector
 * stops polling, and each batch polled in between would be logged as an error.
 */
@ApplicationScoped
class PauseAtStop {

    private static final Logger LOG = Logger.getLogger(PauseAtStop.class);

    /** Longer than a poll. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final KafkaClientService clients;

    PauseAtStop(KafkaClientService clients) {
        this.clients = clients;
    }

    void pause(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) ShutdownEvent event) {
        List<Uni<Set<TopicPartition>>> pauses = clients.getConsumerChannels().stream()
                .flatMap(channel -> clients.getConsumers(channel).stream())
                .map(KafkaConsumer::pause)
                .toList();
        try {
            var _ = Uni.join().all(pauses).andCollectFailures().await().atMost(TIMEOUT);
        } catch (RuntimeException e) {
            // A consumer that never found its brokers polls nothing, so it needs no pause.
            LOG.debug("consumers not paused", e);
        }
    }
}
