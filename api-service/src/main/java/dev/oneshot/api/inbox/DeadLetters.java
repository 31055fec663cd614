package dev.oneshot.api.inbox;

import dev.oneshot.api.kafka.KafkaClients;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceScope;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jboss.logging.Logger;

/** Sets aside what can never be handled, with the reason, so that nothing is lost and nothing is stuck behind it. */
@ApplicationScoped
class DeadLetters {

    private static final Logger LOG = Logger.getLogger(DeadLetters.class);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(2);

    private final KafkaProducer<String, byte[]> producer;

    DeadLetters(KafkaClients clients) {
        this.producer = clients.producer(
                "oneshot-api-dead-letters",
                Map.of(
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        Topic.RECORD_BYTES_MAX,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        (long) Topic.RECORD_BYTES_MAX));
    }

    /** After the consumers, which write here. */
    void stop(@Observes @Priority(Interceptor.Priority.APPLICATION + 1000) ShutdownEvent event) {
        producer.close(CLOSE_TIME);
    }

    /**
     * Writes them to the dead letter topic and waits for Kafka to have them.
     *
     * @throws KafkaException if Kafka did not take all of them; then all are to be written again
     */
    void write(List<DeadLetter> letters) throws InterruptedException {
        List<Future<RecordMetadata>> written = new ArrayList<>();
        for (DeadLetter letter : letters) {
            written.add(producer.send(asRecord(letter)));
        }
        for (Future<RecordMetadata> one : written) {
            await(one);
        }
        for (DeadLetter letter : letters) {
            try (TraceScope _ =
                    TraceScope.open(RecordTrace.continued(letter.letter().headers()))) {
                LOG.errorf(
                        "mail set aside as a dead letter partition=%d offset=%d addressId=%s reason=%s",
                        letter.letter().partition(),
                        letter.letter().offset(),
                        letter.letter().key(),
                        letter.reason());
            }
        }
    }

    private static ProducerRecord<String, byte[]> asRecord(DeadLetter letter) {
        ConsumerRecord<String, byte[]> original = letter.letter();
        ProducerRecord<String, byte[]> copy = new ProducerRecord<>(
                Topic.MAIL_INBOUND_DLQ.topicName(), null, original.key(), original.value(), original.headers());
        copy.headers().add(Topic.DEAD_LETTER_REASON_HEADER, letter.reason().getBytes(StandardCharsets.UTF_8));
        return copy;
    }

    private static void await(Future<RecordMetadata> one) throws InterruptedException {
        try {
            one.get();
        } catch (ExecutionException e) {
            throw new KafkaException("a dead letter could not be written", e);
        }
    }
}
