package dev.oneshot.api.inbox;

import dev.oneshot.api.background.BackgroundWork;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.annotations.Blocking;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.api.IncomingKafkaRecordBatchMetadata;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Stores the mail of {@code mail.inbound}, one batch after the other. The mails were accepted, so a batch that cannot be stored is
 * retried without end. During that time the connector polls with its partitions paused: the consumer stays in the group and
 * fetches no more.
 */
@ApplicationScoped
class InboundConsumer {

    static final String CHANNEL = "mail-inbound";

    private static final Logger LOG = Logger.getLogger(InboundConsumer.class);

    /** The first pause after a failure. It doubles with each try. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(200);

    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);

    /** A batch of at least this many records means load. */
    private static final int LOAD_RECORDS_MIN = 4;

    /** A batch of this size is large enough, so the consumer does not wait: half of {@code fetch.max.bytes}. */
    private static final int FULL_BATCH_BYTES = 500_000;

    private static final Duration GATHER_TIME = Duration.ofMillis(5);

    private final InboundBatch batches;
    private final ReplayWindow window;
    private final KafkaClientService clients;
    private final BackgroundWork work;
    private final Counter postponed;
    private final Counter commitFailures;
    /** Failures since the last commit. */
    private final AtomicInteger uncommitted = new AtomicInteger();

    InboundConsumer(
            InboundBatch batches,
            ReplayWindow window,
            KafkaClientService clients,
            BackgroundWork work,
            MeterRegistry metrics) {
        this.batches = batches;
        this.window = window;
        this.clients = clients;
        this.work = work;
        this.postponed = Counter.builder("oneshot.inbox.postponed")
                .description("Failed tries to store a batch, because the database or Kafka was away")
                .register(metrics);
        this.commitFailures = Counter.builder("oneshot.inbox.commit.failures")
                .description("Commits of offsets that failed; a later one repeats each")
                .register(metrics);
    }

    /**
     * Stores a batch, then commits its offsets. Ordered, as the first mail of an address is the one that counts.
     *
     * @param polled names the channel of the consumer that polled the batch
     * @return never completes when the service stops, so that no further batch is begun
     */
    @Incoming(CHANNEL)
    @Blocking(CHANNEL)
    @Acknowledgment(Acknowledgment.Strategy.NONE)
    Uni<Void> take(ConsumerRecords<String, byte[]> records, IncomingKafkaRecordBatchMetadata<String, byte[]> polled) {
        try {
            work.run(() -> {
                if (isStored(records)) {
                    commit(records, polled.getChannel());
                    gather(records);
                }
            });
        } catch (InterruptedException e) {
            LOG.info("inbound consumer interrupted");
            Thread.currentThread().interrupt();
            return Uni.createFrom().nothing();
        }
        return work.isStopping() ? Uni.createFrom().nothing() : Uni.createFrom().voidItem();
    }

    private boolean isStored(ConsumerRecords<String, byte[]> records) throws InterruptedException {
        Duration pause = PAUSE_MIN;
        while (!work.isStopping()) {
            try {
                batches.handle(records);
                return true;
            } catch (RuntimeException | Error e) {
                // Even an error must not end the channel: nothing would be stored until the next start.
                LOG.warnf(e, "storing failed, retrying records=%d", records.count());
                postponed.increment();
            }
            work.pause(pause);
            pause = Collections.min(List.of(pause.multipliedBy(2), PAUSE_MAX));
        }
        return false;
    }

    /**
     * Under load, waits so that the next batch is larger: a batch costs about as much as four mails. Without load, it does not wait.
     *
     * @param stored the last batch
     */
    private void gather(ConsumerRecords<String, byte[]> stored) throws InterruptedException {
        long bytes = 0;
        for (ConsumerRecord<String, byte[]> record : stored) {
            bytes += record.serializedValueSize();
        }
        if (stored.count() >= LOAD_RECORDS_MIN && bytes < FULL_BATCH_BYTES) {
            work.pause(GATHER_TIME);
        }
    }

    /**
     * Commits all partitions of a batch in one request. A later commit repeats one that fails.
     *
     * @param channel of its consumer; there is one for each when {@code concurrency} is above one
     */
    private void commit(ConsumerRecords<String, byte[]> records, String channel) {
        Map<TopicPartition, OffsetAndMetadata> stored = new HashMap<>();
        for (TopicPartition partition : records.partitions()) {
            long next = records.records(partition).getLast().offset() + 1;
            stored.put(partition, new OffsetAndMetadata(next));
        }
        window.stored(stored);
        var _ = clients.<String, byte[]>getConsumer(channel)
                .runOnPollingThread((Consumer<String, byte[]> consumer) -> commitOwned(consumer, stored))
                .subscribe()
                .with(_ -> {}, this::committed);
    }

    /**
     * Commits the partitions that this consumer still owns. The new owner of the others stores the same mails, and a commit from
     * here would set its offset back.
     */
    private void commitOwned(Consumer<String, byte[]> consumer, Map<TopicPartition, OffsetAndMetadata> stored) {
        Map<TopicPartition, OffsetAndMetadata> owned = new HashMap<>(stored);
        owned.keySet().retainAll(consumer.assignment());
        if (!owned.isEmpty()) {
            consumer.commitAsync(owned, (_, failure) -> committed(failure));
        }
    }

    /** Logs the first of several failures, and their end: each batch commits, and brokers may be away for long. */
    private void committed(@Nullable Throwable failure) {
        if (failure == null) {
            int before = uncommitted.getAndSet(0);
            if (before > 0) {
                LOG.infof("offsets committed again failures=%d", before);
            }
            return;
        }
        commitFailures.increment();
        if (uncommitted.getAndIncrement() == 0) {
            LOG.warn("offsets not committed", failure);
        }
    }
}
