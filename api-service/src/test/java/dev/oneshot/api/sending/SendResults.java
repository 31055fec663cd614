package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.SendResult;
import dev.oneshot.contracts.event.Topic;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Results of attempts, as a mailer reports them, and how sends ended. */
final class SendResults {

    private SendResults() {}

    static void settle(String id, SendResult event) {
        settle(id, EventCodec.encode(event));
    }

    static void settle(String key, byte[] value) {
        TestMail.publishRecords(List.of(new ProducerRecord<>(Topic.MAIL_SETTLED.topicName(), key, value)));
    }

    static MailSettled relayed(String id) {
        Instant now = Instant.now();
        return new MailSettled(id, Outcome.RELAYED, null, null, 1, now, now);
    }

    /** The recorded end; empty if there is none. */
    static String outcome(String id) {
        return String.join(
                "", TestDatabase.sql().texts("SELECT outcome FROM send_settlement WHERE address_id = ?", id));
    }

    static void awaitOutcome(String id, String outcome) {
        await().until(() -> outcome.equals(outcome(id)));
    }

    static void awaitDeadLetter(Topic topic, String key) {
        assertThat(TestTopic.awaitOne(topic, key).headers().lastHeader(Topic.DEAD_LETTER_REASON_HEADER))
                .isNotNull();
    }
}
