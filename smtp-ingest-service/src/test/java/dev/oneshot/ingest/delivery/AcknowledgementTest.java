package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.backends.quarkus.KafkaResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

/** The settings that a 250 depends on. The broker has no replicas, so only the settings show them. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
class AcknowledgementTest {

    private final KafkaClientService clients;

    AcknowledgementTest(KafkaClientService clients) {
        this.clients = clients;
    }

    @Test
    void allReplicasInSyncHaveToAcknowledgeAndNoEventLoopWaitsWhateverTheSettingsSay() {
        Map<String, Object> made = new HashMap<>(
                clients.getProducer(InboundProducerSettings.CHANNEL).configuration());

        assertThat(made)
                .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
                .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true")
                .containsEntry(ProducerConfig.MAX_BLOCK_MS_CONFIG, "0");
    }
}
