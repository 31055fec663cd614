package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.backends.quarkus.KafkaResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;

/** What a 250 rests on: the tests' one broker has no replica whose acknowledgement could be missed. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
class AcknowledgementTest {

    @Test
    void allReplicasInSyncHaveToAcknowledgeAndNoEventLoopWaitsWhateverTheSettingsSay() {
        assertThat(Settings.PRODUCER)
                .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
                .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true")
                .containsEntry(ProducerConfig.MAX_BLOCK_MS_CONFIG, "0");
    }

    /** Receives from Kafka what the producer was made with. */
    public static final class Settings implements ProducerInterceptor<byte[], byte[]> {

        static final Map<String, Object> PRODUCER = new ConcurrentHashMap<>();

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
