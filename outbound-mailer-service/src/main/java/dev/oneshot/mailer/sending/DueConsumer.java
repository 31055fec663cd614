package dev.oneshot.mailer.sending;

import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.reactive.messaging.annotations.Blocking;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
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
 * Consumes due mails at most once: commits their offsets before their attempts begin. If the mailer is killed
 * between the two, api-service publishes the mail again when its lease has ended.
 */
@ApplicationScoped
class DueConsumer {

    private static final Logger LOG = Logger.getLogger(DueConsumer.class);
    private static final String CHANNEL = "mail-due";
    private static final Duration CLAIM_TIME = Duration.ofSeconds(30);
    private static final Duration GIVE_BACK_TIME = Duration.ofSeconds(3);
    private static final long FAILURE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final KafkaClientService clients;
    private final Attempts attempts;
    private final ReentrantLock taking = new ReentrantLock();

    DueConsumer(KafkaClientService clients, Attempts attempts) {
        this.clients = clients;
        this.attempts = attempts;
    }

    /** Blocks while enough attempts are in flight. At a stop it commits only records that it has taken. */
    @Incoming(CHANNEL)
    @Blocking
    void take(ConsumerRecords<String, byte[]> records) throws InterruptedException {
        taking.lock();
        try {
            begin(records);
        } finally {
            taking.unlock();
        }
    }

    /** Waits until claimed mails that have not begun are given back. */
    void stop(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) ShutdownEvent event) throws InterruptedException {
        if (!taking.tryLock(GIVE_BACK_TIME.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.warn("claimed mails are not given back, they are sent after their leases");
        }
    }

    private void begin(ConsumerRecords<String, byte[]> records) throws InterruptedException {
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
                LockSupport.parkNanos(FAILURE_PAUSE_NANOS);
            }
        }
    }

    /**
     * Commits the records of a batch that are not committed yet. Runs on the polling thread, so no rebalance begins
     * during the commit. During a rebalance, the commit fails. Records before the committed offset belong to another
     * mailer or to an earlier delivery of this batch.
     */
    private static List<ConsumerRecord<String, byte[]>> claim(
            Consumer<String, byte[]> consumer, ConsumerRecords<String, byte[]> records) {
        Set<TopicPartition> assigned = new HashSet<>(records.partitions());
        assigned.retainAll(consumer.assignment());
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(assigned);
        List<ConsumerRecord<String, byte[]>> claimed = new ArrayList<>();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : assigned) {
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
