package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.ShutdownEvent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;

/** What a 250 rests on: the tests' one broker has no replica whose acknowledgement could be missed. */
class AcknowledgementTest {

    private static final Map<String, Object> PRODUCER = new ConcurrentHashMap<>();

    @Test
    void allReplicasInSyncHaveToAcknowledgeWhateverTheSettingsOfClientsSay() {
        InboundProducer producer = new InboundProducer(
                DeliverySettings.kafka(Map.of(
                        ProducerConfig.ACKS_CONFIG, "1",
                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false",
                        ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, Settings.class.getName())),
                DeliverySettings.read(Map.of()),
                DeliverySettings.policy(1));
        producer.stop(new ShutdownEvent());

        assertThat(PRODUCER)
                .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
                .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    }

    /** Is told by Kafka what the producer was made with. */
    public static final class Settings implements ProducerInterceptor<byte[], byte[]> {

        @Override
        public void configure(Map<String, ?> settings) {
            PRODUCER.putAll(settings);
        }

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

        @Override
        public void close() {}
    }
}
