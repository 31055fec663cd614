package dev.oneshot.mailer.sending;

import io.smallrye.mutiny.TimeoutException;
import io.smallrye.reactive.messaging.annotations.Blocking;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes due mails at most once: their offsets are committed before their attempts begin. What is lost by that is published again when its
 * lease has ended.
 */
@ApplicationScoped
class DueConsumer {

    private static final Logger LOG = Logger.getLogger(DueConsumer.class);
    private static final String CHANNEL = "mail-due";
    private static final Duration CLAIM_TIME = Duration.ofSeconds(30);
    private static final Duration FAILURE_PAUSE = Duration.ofMillis(200);

    private final KafkaClientService clients;
    private final Attempts attempts;

    DueConsumer(KafkaClientService clients, Attempts attempts) {
        this.clients = clients;
        this.attempts = attempts;
    }

    /** Blocks while enough is in flight. Does not commit what it does not take, when the service stops. */
    @Incoming(CHANNEL)
    @Blocking
    void take(ConsumerRecords<String, byte[]> records) throws InterruptedException {
        KafkaConsumer<String, byte[]> consumer = clients.getConsumer(CHANNEL);
        Function<Consumer<String, byte[]>, List<ConsumerRecord<String, byte[]>>> claim =
                polled -> claim(polled, records);
        while (!attempts.isStopping()) {
            try {
                List<ConsumerRecord<String, byte[]>> claimed =
                        consumer.runOnPollingThread(claim).await().atMost(CLAIM_TIME);
                for (ConsumerRecord<String, byte[]> record : claimed) {
                    attempts.begin(record);
                }
                return;
            } catch (KafkaException | TimeoutException e) {
                LOG.infof("due mails not claimed yet count=%d: %s", records.count(), e.toString());
                attempts.awaitStop(FAILURE_PAUSE);
            }
        }
    }

    /**
     * Commits what is still to be claimed of a batch. No rebalance happens meanwhile, as this is the polling thread; in one that has begun
     * the commit fails. What was committed before belongs to another mailer, or to an earlier copy of this batch.
     */
    private static List<ConsumerRecord<String, byte[]>> claim(
            Consumer<String, byte[]> consumer, ConsumerRecords<String, byte[]> records) {
        Set<TopicPartition> ours = new HashSet<>(records.partitions());
        ours.retainAll(consumer.assignment());
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(ours);
        List<ConsumerRecord<String, byte[]>> claimed = new ArrayList<>();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : ours) {
            @Nullable OffsetAndMetadata before = committed.get(partition);
            for (ConsumerRecord<String, byte[]> record : records.records(partition)) {
                if (before == null || record.offset() >= before.offset()) {
                    claimed.add(record);
                    offsets.put(partition, new OffsetAndMetadata(record.offset() + 1));
                }
            }
        }
        if (!offsets.isEmpty()) {
            consumer.commitSync(offsets);
        }
        return claimed;
    }
}
