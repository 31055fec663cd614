package dev.oneshot.api.kafka;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.TraceContext;
import io.opentelemetry.context.Scope;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaProducer;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jboss.logging.Logger;

/** Writes records that can never be processed to a dead letter topic, so that they are not lost, and do not block later ones. */
@ApplicationScoped
public class DeadLetters {

    /** Its producer writes the dead letters of all topics. */
    public static final String CHANNEL = "mail-inbound-dlq";

    private static final Logger LOG = Logger.getLogger(DeadLetters.class);

    private final KafkaClientService clients;

    DeadLetters(KafkaClientService clients) {
        this.clients = clients;
    }

    /** A record that can never be processed, and why. */
    public record DeadLetter(ConsumerRecord<String, byte[]> origin, String reason) {

        /** A copy for a dead letter topic, with the reason in a header. */
        private ProducerRecord<String, byte[]> to(Topic topic) {
            ProducerRecord<String, byte[]> copy =
                    new ProducerRecord<>(topic.topicName(), null, origin.key(), origin.value(), origin.headers());
            copy.headers().add(Topic.DEAD_LETTER_REASON_HEADER, reason.getBytes(StandardCharsets.UTF_8));
            return copy;
        }
    }

    /**
     * Writes them to a dead letter topic, and waits until Kafka has acknowledged them.
     *
     * @throws RuntimeException if Kafka did not acknowledge all of them; then write all again
     */
    public void write(Topic topic, List<DeadLetter> letters) {
        KafkaProducer<String, byte[]> producer = clients.getProducer(CHANNEL);
        Uni.join()
                .all(letters.stream()
                        .map(letter -> producer.send(letter.to(topic)))
                        .toList())
                .andFailFast()
                .await()
                .indefinitely();
        for (DeadLetter letter : letters) {
            try (Scope _ = TraceContext.of(letter.origin().headers()).makeCurrent()) {
                LOG.errorf(
                        "dead letter topic=%s partition=%d offset=%d addressId=%s reason=%s",
                        letter.origin().topic(),
                        letter.origin().partition(),
                        letter.origin().offset(),
                        letter.origin().key(),
                        letter.reason());
            }
        }
    }
}
