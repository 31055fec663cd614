package dev.oneshot.api.kafka;

import dev.oneshot.contracts.event.Topic;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A record that can never be processed, and why. */
public record DeadLetter(ConsumerRecord<String, byte[]> origin, String reason) {

    /** A copy for a dead letter topic, with the reason in a header. */
    public ProducerRecord<String, byte[]> to(Topic topic) {
        ProducerRecord<String, byte[]> copy =
                new ProducerRecord<>(topic.topicName(), null, origin.key(), origin.value(), origin.headers());
        copy.headers().add(Topic.DEAD_LETTER_REASON_HEADER, reason.getBytes(StandardCharsets.UTF_8));
        return copy;
    }
}
