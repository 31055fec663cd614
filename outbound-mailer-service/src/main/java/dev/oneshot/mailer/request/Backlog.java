package dev.oneshot.mailer.request;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * How many offsets of our partitions are not done. Each request is one; so is the mark of each transaction that has not
 * been reached, so that retries may count twice. For the thread of the loop, but for what the gauge reads.
 */
final class Backlog {

    private static final Logger LOG = Logger.getLogger(Backlog.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final InstantSource clock;
    private final AtomicLong offsets = new AtomicLong();
    private Instant nextAt = Instant.MIN;

    Backlog(KafkaConsumer<byte[], byte[]> consumer, Admin admin, InstantSource clock) {
        this.consumer = consumer;
        this.admin = admin;
        this.clock = clock;
    }

    /** Asks in the background where the partitions end, if it is time to. */
    void measureWhenDue(Map<TopicPartition, OffsetLedger> ledgers) {
        Instant now = clock.instant();
        if (now.isBefore(nextAt)) {
            return;
        }
        nextAt = now.plus(INTERVAL);
        Map<TopicPartition, Long> done = new HashMap<>();
        try {
            // A consumer's position is behind the marks at the end, which a ledger never sees.
            ledgers.forEach((partition, ledger) ->
                    done.put(partition, consumer.position(partition, Duration.ZERO) - ledger.open()));
        } catch (KafkaException e) {
            LOG.debugf("positions are not known yet: %s", e.getMessage());
            return;
        }
        Map<TopicPartition, OffsetSpec> ends =
                done.keySet().stream().collect(Collectors.toMap(Function.identity(), _ -> OffsetSpec.latest()));
        // As long as Kafka does not say, the gauge stays where it was.
        var _ = admin.listOffsets(ends, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .whenComplete((found, failure) -> {
                    if (failure == null) {
                        offsets.set(notDone(found, done));
                    } else {
                        LOG.debugf("ends of partitions are not known: %s", failure.getMessage());
                    }
                });
    }

    private static long notDone(Map<TopicPartition, ListOffsetsResultInfo> ends, Map<TopicPartition, Long> done) {
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue().offset() - done.getOrDefault(end.getKey(), 0L)))
                .sum();
    }

    /** As it was at the last look; from any thread. */
    long offsets() {
        return offsets.get();
    }
}
