package dev.oneshot.api.inbox;

import dev.oneshot.api.kafka.DeadLetter;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceScope;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaProducer;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jboss.logging.Logger;

/** Writes records that can never be stored to the dead letter topic, so that none is lost and none blocks those behind it. */
@ApplicationScoped
class DeadLetters {

    private static final Logger LOG = Logger.getLogger(DeadLetters.class);
    static final String CHANNEL = "mail-inbound-dlq";

    private final KafkaClientService clients;

    DeadLetters(KafkaClientService clients) {
        this.clients = clients;
    }

    /**
     * Writes them to the dead letter topic and waits for Kafka to have them.
     *
     * @throws RuntimeException if Kafka did not take all of them; then write all again
     */
    void write(List<DeadLetter> letters) {
        KafkaProducer<String, byte[]> producer = clients.getProducer(CHANNEL);
        Uni.join()
                .all(letters.stream()
                        .map(letter -> producer.send(letter.to(Topic.MAIL_INBOUND_DLQ)))
                        .toList())
                .andFailFast()
                .await()
                .indefinitely();
        for (DeadLetter letter : letters) {
            try (TraceScope _ =
                    TraceScope.open(RecordTrace.continued(letter.origin().headers()))) {
                LOG.errorf(
                        "mail set aside as a dead letter partition=%d offset=%d addressId=%s reason=%s",
                        letter.origin().partition(),
                        letter.origin().offset(),
                        letter.origin().key(),
                        letter.reason());
            }
        }
    }
}
