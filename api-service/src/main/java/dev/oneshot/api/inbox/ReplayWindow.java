package dev.oneshot.api.inbox;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jboss.logging.Logger;

/**
 * How far back the mail of {@code mail.inbound} can be read again. What was stored longer ago is deleted from Kafka
 * (DeleteRecords), so that deleted mail is deleted there too. Kafka removes whole files, and closes one only when a record
 * comes after its time: a partition without further mail gets one empty record. Safe for use by many threads.
 */
final class ReplayWindow {

    private static final Logger LOG = Logger.getLogger(ReplayWindow.class);

    // An offset is noted this often; for so much longer than the window a record may be there.
    private static final Duration INTERVAL_MIN = Duration.ofSeconds(1);
    private static final Duration INTERVAL_MAX = Duration.ofSeconds(10);
    private static final int INTERVALS = 30;
    private static final Duration CLOCK_SKEW_MAX = Duration.ofSeconds(10);

    private final Supplier<Admin> admin;
    private final Supplier<Producer<String, byte[]>> producer;
    private final Duration length;
    private final Duration interval;
    private final Duration segmentIdle;
    private final InstantSource clock;
    private final Map<TopicPartition, Long> storedBefore = new HashMap<>();
    private final Map<TopicPartition, Deque<Mark>> marks = new HashMap<>();
    private final ConcurrentMap<TopicPartition, Long> deletable = new ConcurrentHashMap<>();
    private final ConcurrentMap<TopicPartition, Mark> newest = new ConcurrentHashMap<>();
    private final ConcurrentMap<TopicPartition, Long> emptyBefore = new ConcurrentHashMap<>();
    private Instant nextAt = Instant.MIN;

    /** Everything before {@code offset} was stored when this was noted. */
    private record Mark(long offset, Instant notedAt) {}

    /**
     * A window.
     *
     * @param length how long stored mail stays in Kafka
     * @param segmentSpan {@code segment.ms} of the topic
     */
    ReplayWindow(
            Supplier<Admin> admin,
            Supplier<Producer<String, byte[]>> producer,
            Duration length,
            Duration segmentSpan,
            InstantSource clock) {
        this.admin = admin;
        this.producer = producer;
        this.length = length;
        // The times of records are by the clocks of the nodes that wrote them.
        this.segmentIdle = Collections.max(List.of(length, segmentSpan.plus(CLOCK_SKEW_MAX)));
        this.interval = Collections.min(
                List.of(INTERVAL_MAX, Collections.max(List.of(INTERVAL_MIN, length.dividedBy(INTERVALS)))));
        this.clock = clock;
    }

    /** Whether a record is one that this class writes, without a mail. */
    static boolean isEmpty(ConsumerRecord<String, byte[]> origin) {
        return origin.key() == null && origin.value() == null;
    }

    /** Everything before these offsets is in the database. */
    synchronized void stored(Map<TopicPartition, Long> offsets) {
        Instant now = clock.instant();
        offsets.forEach((partition, next) -> {
            storedBefore.put(partition, next);
            newest.put(partition, new Mark(next, now));
        });
    }

    /** Deletes mail that has left the window, in the background, if a check is due. */
    synchronized void move() {
        Instant now = clock.instant();
        if (now.isBefore(nextAt)) {
            return;
        }
        nextAt = now.plus(interval);
        storedBefore.forEach((partition, offset) ->
                marks.computeIfAbsent(partition, _ -> new ArrayDeque<>()).addLast(new Mark(offset, now)));
        storedBefore.clear();
        marks.forEach((partition, noted) -> leave(partition, noted, now.minus(length)));
        marks.values().removeIf(Deque::isEmpty);
        delete();
        newest.forEach((partition, last) -> {
            if (!last.notedAt().isAfter(now.minus(segmentIdle)) && newest.remove(partition, last)) {
                closeSegment(partition, last);
            }
        });
    }

    private void closeSegment(TopicPartition partition, Mark last) {
        if (emptyBefore.getOrDefault(partition, -1L) == last.offset()) {
            return;
        }
        ProducerRecord<String, byte[]> empty =
                new ProducerRecord<>(partition.topic(), partition.partition(), null, null);
        try {
            var _ = producer.get().send(empty, (written, failure) -> {
                if (failure == null) {
                    emptyBefore.put(partition, written.offset() + 1);
                } else {
                    notClosed(partition, last, failure);
                }
            });
        } catch (KafkaException e) {
            notClosed(partition, last, e);
        }
    }

    private void notClosed(TopicPartition partition, Mark last, Exception failure) {
        LOG.warnf("segment of deleted mail not closed yet, retrying partition=%s cause=%s", partition, failure);
        newest.putIfAbsent(partition, last);
    }

    private void leave(TopicPartition partition, Deque<Mark> noted, Instant until) {
        while (!noted.isEmpty() && !noted.getFirst().notedAt().isAfter(until)) {
            deletable.merge(partition, noted.removeFirst().offset(), Math::max);
        }
    }

    private void delete() {
        Map<TopicPartition, RecordsToDelete> deletions = new HashMap<>();
        for (TopicPartition partition : deletable.keySet()) {
            Long before = deletable.remove(partition);
            if (before != null) {
                deletions.put(partition, RecordsToDelete.beforeOffset(before));
            }
        }
        if (deletions.isEmpty()) {
            return;
        }
        try {
            var _ = admin.get().deleteRecords(deletions).all().whenComplete((_, failure) -> {
                if (failure != null) {
                    notDeleted(deletions, failure, failure instanceof RetriableException);
                }
            });
        } catch (KafkaException e) {
            notDeleted(deletions, e, true);
        }
    }

    private void notDeleted(Map<TopicPartition, RecordsToDelete> deletions, Throwable failure, boolean again) {
        LOG.warnf("stored mail not deleted from Kafka yet cause=%s", failure);
        if (again) {
            deletions.forEach((partition, records) -> deletable.merge(partition, records.beforeOffset(), Math::max));
        }
    }
}
