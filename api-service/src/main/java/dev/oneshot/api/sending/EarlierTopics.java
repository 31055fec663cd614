package dev.oneshot.api.sending;

import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.trace.RecordTrace;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Moves what mailers of the previous version left on their topics back into the outbox, once none of them has run for a minute. Their
 * committed offsets tell which records they were done with. Remove with the next version.
 */
@ApplicationScoped
class EarlierTopics {

    private static final Logger LOG = Logger.getLogger(EarlierTopics.class);
    private static final Map<String, String> GROUPS = Map.of(
            "mail.requested", "oneshot-mailer",
            "mail.retry.short", "oneshot-mailer.mail.retry.short",
            "mail.retry.medium", "oneshot-mailer.mail.retry.medium",
            "mail.retry.long", "oneshot-mailer.mail.retry.long");
    /** A restarting mailer is back by then. Otherwise it would send mails that were moved. */
    private static final Duration EMPTY_TIME = Duration.ofMinutes(1);

    private static final Duration POLL_TIME = Duration.ofMillis(500);
    private static final String BITS = "1:";

    private static final String KEEP = """
            INSERT INTO send_outbox (address_id, value, traceparent, created_at, expires_at, due_at, attempts)
            SELECT id, ?, ?, ?, ?, ?, ? FROM address
            WHERE id = ? AND NOT EXISTS (SELECT FROM send_settlement WHERE address_id = id) FOR KEY SHARE
            ON CONFLICT (address_id) DO NOTHING""";

    private static final String SETTLE_DELETED = """
            INSERT INTO send_settlement (address_id, outcome, attempts, requested_at, settled_at)
            SELECT ?, 'DELETED', ?, ?, ? WHERE NOT EXISTS (SELECT FROM address WHERE id = ?)
            ON CONFLICT (address_id) DO NOTHING""";

    private final Database database;
    private final Settlements settlements;
    private final DueMails dueMails;
    private final OutboxSignal signal;
    private final Map<String, Object> kafka;
    private final InstantSource clock;
    private final Map<String, Instant> emptySince = new HashMap<>();

    EarlierTopics(
            Database database,
            Settlements settlements,
            DueMails dueMails,
            OutboxSignal signal,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            InstantSource clock) {
        this.database = database;
        this.settlements = settlements;
        this.dueMails = dueMails;
        this.signal = signal;
        this.kafka = kafka;
        this.clock = clock;
    }

    @Scheduled(
            every = "10s",
            delayed = "5s",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void move() throws InterruptedException {
        try {
            Admin admin = dueMails.admin();
            Set<String> topics = admin.listTopics().names().get();
            for (Map.Entry<String, String> earlier : GROUPS.entrySet()) {
                if (topics.contains(earlier.getKey())
                        && isLeft(earlier.getValue(), isEmpty(admin, earlier.getValue()))) {
                    drain(admin, earlier.getKey(), earlier.getValue());
                }
            }
        } catch (ExecutionException | RuntimeException e) {
            emptySince.clear();
            LOG.warnf("topics of the previous version cannot be read, retrying: %s", e.toString());
        }
    }

    /** Whether no mailer of the previous version has been seen for a minute. */
    private boolean isLeft(String group, boolean empty) {
        if (!empty) {
            emptySince.remove(group);
            return false;
        }
        Instant since = emptySince.computeIfAbsent(group, _ -> clock.instant());
        return !clock.instant().isBefore(since.plus(EMPTY_TIME));
    }

    private static boolean isEmpty(Admin admin, String group) throws ExecutionException, InterruptedException {
        try {
            GroupState state = admin.describeConsumerGroups(List.of(group))
                    .all()
                    .get()
                    .values()
                    .iterator()
                    .next()
                    .groupState();
            return state == GroupState.EMPTY || state == GroupState.DEAD;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return true;
            }
            throw e;
        }
    }

    private void drain(Admin admin, String topic, String group) throws ExecutionException, InterruptedException {
        Map<String, Object> settings = new HashMap<>(kafka);
        settings.put("group.id", group);
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "earliest");
        settings.put("isolation.level", "read_committed");
        settings.put("fetch.max.bytes", 4 * 1024 * 1024);
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            Set<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .collect(Collectors.toSet());
            consumer.assign(partitions);
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
            if (ends.isEmpty()) {
                return;
            }
            int moved = 0;
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                ConsumerRecords<String, byte[]> records = consumer.poll(POLL_TIME);
                moved += keep(records, committed);
            }
            // Only now, as the offsets say which records were done.
            Map<TopicPartition, OffsetAndMetadata> positions = ends.keySet().stream()
                    .collect(Collectors.toMap(
                            Function.identity(), partition -> new OffsetAndMetadata(consumer.position(partition))));
            consumer.commitSync(positions);
            Map<TopicPartition, RecordsToDelete> deletions = new HashMap<>();
            positions.forEach(
                    (partition, offset) -> deletions.put(partition, RecordsToDelete.beforeOffset(offset.offset())));
            admin.deleteRecords(deletions).all().get();
            LOG.infof("requests of the previous version were moved to the outbox topic=%s count=%d", topic, moved);
            signal.raise();
        }
    }

    @Transactional
    int keep(ConsumerRecords<String, byte[]> records, Map<TopicPartition, OffsetAndMetadata> committed) {
        int kept = 0;
        for (ConsumerRecord<String, byte[]> record : records) {
            if (!isDone(record, committed.get(new TopicPartition(record.topic(), record.partition())))) {
                kept += keep(record);
            }
        }
        return kept;
    }

    /** The metadata of a committed offset has a bit for each record from there on that was done. */
    private static boolean isDone(ConsumerRecord<String, byte[]> record, @Nullable OffsetAndMetadata committed) {
        if (committed == null || !committed.metadata().startsWith(BITS)) {
            return false;
        }
        byte[] bits = Base64.getDecoder().decode(committed.metadata().substring(BITS.length()));
        return BitSet.valueOf(bits).get(Math.toIntExact(record.offset() - committed.offset()));
    }

    private int keep(ConsumerRecord<String, byte[]> record) {
        int attempts = Math.toIntExact(number(record, "oneshot-attempts"));
        MailRequested request;
        try {
            request = EventCodec.decodeMailRequested(record.value() == null ? new byte[0] : record.value());
        } catch (EventFormatException e) {
            LOG.errorf(
                    "request of the previous version cannot be read topic=%s partition=%d offset=%d: %s",
                    record.topic(), record.partition(), record.offset(), e.getMessage());
            if (record.key() != null) {
                settlements.record(
                        List.of(new MailSettled(
                                record.key(), Outcome.UNDELIVERABLE, null, null, attempts, null, clock.instant())),
                        null);
            }
            return 0;
        }
        int kept = database.update(
                KEEP,
                record.value(),
                RecordTrace.continued(record.headers()).traceparent(),
                request.requestedAt(),
                request.expiresAt(),
                Instant.ofEpochMilli(number(record, "oneshot-not-before")),
                attempts,
                request.addressId());
        if (kept == 0) {
            database.update(
                    SETTLE_DELETED,
                    request.addressId(),
                    attempts,
                    request.requestedAt(),
                    clock.instant(),
                    request.addressId());
        }
        return kept;
    }

    /** A record header in decimal; 0 if there is none. */
    private static long number(ConsumerRecord<String, byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? 0 : Long.parseLong(new String(header.value(), StandardCharsets.US_ASCII));
    }
}
