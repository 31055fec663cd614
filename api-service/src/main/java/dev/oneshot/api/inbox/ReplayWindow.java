package dev.oneshot.api.inbox;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.oneshot.api.kafka.DeadLetters;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumerRebalanceListener;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Default;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jboss.logging.Logger;

/**
 * How far back the mail of {@code mail.inbound} can be read again. What was stored longer ago is deleted from Kafka
 * (DeleteRecords), so that deleted mail is deleted there too. Kafka deletes whole segments, and rolls one only when a record
 * arrives after {@code segment.ms}: a partition without further mail gets one empty record. Safe for use by many threads.
 */
@ApplicationScoped
@Default
@Identifier(InboundConsumer.CHANNEL)
class ReplayWindow implements KafkaConsumerRebalanceListener {

    private static final Logger LOG = Logger.getLogger(ReplayWindow.class);

    /** The shortest time between two snapshots. The longest is ten times as long. */
    private static final String INTERVAL_MIN = "1s";

    private static final int INTERVALS = 30;
    private static final Duration CLOCK_SKEW_MAX = Duration.ofSeconds(10);
    private static final Duration COMMITTED_TIME = Duration.ofSeconds(5);

    private final Admin admin;
    private final KafkaClientService clients;
    private final Duration length;
    private final Duration interval;
    private final Duration segmentIdle;
    private final Ticker ticker;
    private final Map<TopicPartition, RecordsToDelete> stored = new HashMap<>();
    private final Deque<Snapshot> snapshots = new ArrayDeque<>();
    private final ConcurrentMap<TopicPartition, Newest> newest = new ConcurrentHashMap<>();
    private final ConcurrentMap<TopicPartition, Long> emptyBefore = new ConcurrentHashMap<>();
    private Instant nextAt = Instant.MIN;

    /** The records below these offsets were stored at this time. */
    private record Snapshot(Map<TopicPartition, RecordsToDelete> records, Instant notedAt) {}

    /** The end of a partition's stored mail, and when it was stored. */
    private record Newest(long offset, Instant storedAt) {}

    ReplayWindow(Admin admin, KafkaClientService clients, InboxConfig config, Ticker ticker) {
        this.admin = admin;
        this.clients = clients;
        this.length = ValidSetting.between(
                "oneshot.inbox.replay-window", config.replayWindow(), Duration.ZERO, Topic.MAIL_INBOUND.retention());
        // A record may stay for this much longer than the window.
        this.interval = Duration.ofMillis(Math.clamp(length.toMillis() / INTERVALS, 1_000, 10_000));
        // The times of records are by the clocks of the nodes that wrote them.
        this.segmentIdle =
                Collections.max(List.of(length, Topic.MAIL_INBOUND.segmentSpan().plus(CLOCK_SKEW_MAX)));
        this.ticker = ticker;
    }

    /** Whether this class wrote a record: it has no mail. */
    static boolean isEmpty(ConsumerRecord<String, byte[]> origin) {
        return origin.key() == null && origin.value() == null;
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        try {
            // The committed offset, so that mail which the last owner stored leaves Kafka even if no mail follows.
            // Null if there is none.
            Map<TopicPartition, OffsetAndMetadata> committed =
                    new HashMap<>(consumer.committed(Set.copyOf(partitions), COMMITTED_TIME));
            committed.values().removeIf(Objects::isNull);
            stored(committed);
        } catch (KafkaException e) {
            LOG.warn("offsets not read: mail stored before leaves Kafka only after further mail", e);
        }
    }

    /** Not the time of day: if that is set back, mail stays in Kafka for longer. */
    private Instant now() {
        return Instant.EPOCH.plusNanos(ticker.read());
    }

    /** Everything before these offsets is in the database. */
    synchronized void stored(Map<TopicPartition, OffsetAndMetadata> offsets) {
        Instant now = now();
        offsets.forEach((partition, next) -> {
            stored.put(partition, RecordsToDelete.beforeOffset(next.offset()));
            newest.put(partition, new Newest(next.offset(), now));
        });
    }

    /** Deletes mail that has left the window, in the background, if a check is due. */
    @Scheduled(
            every = INTERVAL_MIN,
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    synchronized void move() {
        Instant now = now();
        if (now.isBefore(nextAt)) {
            return;
        }
        nextAt = now.plus(interval);
        snapshots.addLast(new Snapshot(Map.copyOf(stored), now));
        stored.clear();
        Map<TopicPartition, RecordsToDelete> leaving = new HashMap<>();
        while (!snapshots.isEmpty() && !snapshots.getFirst().notedAt().isAfter(now.minus(length))) {
            leaving.putAll(snapshots.removeFirst().records());
        }
        if (!leaving.isEmpty()) {
            delete(leaving);
        }
        newest.forEach((partition, last) -> {
            if (!last.storedAt().isAfter(now.minus(segmentIdle)) && newest.remove(partition, last)) {
                closeSegment(partition, last);
            }
        });
    }

    private void closeSegment(TopicPartition partition, Newest last) {
        if (emptyBefore.getOrDefault(partition, -1L) == last.offset()) {
            return;
        }
        var _ = write(new ProducerRecord<>(partition.topic(), partition.partition(), null, null))
                .subscribe()
                .with(written -> emptyBefore.put(partition, written.offset() + 1), failure -> {
                    LOG.warnf(
                            "segment of deleted mail not closed yet, retrying partition=%s cause=%s",
                            partition, failure);
                    newest.putIfAbsent(partition, last);
                });
    }

    Uni<RecordMetadata> write(ProducerRecord<String, byte[]> empty) {
        return clients.<String, byte[]>getProducer(DeadLetters.CHANNEL).send(empty);
    }

    private void delete(Map<TopicPartition, RecordsToDelete> records) {
        try {
            var _ = admin.deleteRecords(records).all().whenComplete((_, failure) -> {
                if (failure != null) {
                    notDeleted(records, failure, failure instanceof RetriableException);
                }
            });
        } catch (KafkaException e) {
            notDeleted(records, e, true);
        }
    }

    private synchronized void notDeleted(
            Map<TopicPartition, RecordsToDelete> records, Throwable failure, boolean again) {
        LOG.warnf("stored mail not deleted from Kafka yet cause=%s", failure);
        if (again) {
            snapshots.addFirst(new Snapshot(records, Instant.MIN));
        }
    }
}
