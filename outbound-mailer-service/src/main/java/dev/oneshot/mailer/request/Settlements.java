package dev.oneshot.mailer.request;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * Commits what has ended. When a commit fails it is not known whether it happened; the committed offsets then tell, as
 * they name each record that is done, and only what they do not name is committed again.
 *
 * <p>A commit is also the proof that we are a member of the group: Kafka takes none from another. While mails are under
 * way one is made at least every {@link #PROOF_INTERVAL}. For one thread.
 */
final class Settlements implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Settlements.class);

    private static final Duration PROOF_INTERVAL = Duration.ofSeconds(1);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Progress progress;
    private final SettledContent content;
    private final Backlog backlog;
    private final Map<TopicPartition, OffsetLedger> ledgers = new HashMap<>();
    private final List<Ending> pending = new ArrayList<>();
    private boolean inDoubt;
    private long memberAtNanos = System.nanoTime() - Duration.ofDays(1).toNanos();

    Settlements(KafkaConsumer<byte[], byte[]> consumer, Progress progress, SettledContent content, Backlog backlog) {
        this.consumer = consumer;
        this.progress = progress;
        this.content = content;
        this.backlog = backlog;
    }

    /**
     * Takes up partitions where they were left; those already taken up go on.
     *
     * @throws KafkaException if Kafka does not say where that was
     */
    void takeUp(Set<TopicPartition> partitions) {
        Set<TopicPartition> added = new HashSet<>(partitions);
        added.removeAll(ledgers.keySet());
        if (!added.isEmpty()) {
            progress.open();
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(added);
            for (TopicPartition partition : added) {
                OffsetAndMetadata last = committed.get(partition);
                ledgers.put(
                        partition,
                        last == null ? OffsetLedger.from(consumer.position(partition)) : OffsetLedger.restore(last));
            }
        }
    }

    OffsetLedger ledger(TopicPartition partition) {
        OffsetLedger ledger = ledgers.get(partition);
        if (ledger == null) {
            throw new IllegalStateException(partition + " is not ours");
        }
        return ledger;
    }

    /** Others have these partitions now, and repeat what was not committed. */
    void forget(Set<TopicPartition> partitions) {
        partitions.forEach(ledgers::remove);
        content.forget(partitions);
        pending.removeIf(ending -> partitions.contains(ending.partition()));
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    boolean hasAnyOf(Set<TopicPartition> partitions) {
        return pending.stream().anyMatch(ending -> partitions.contains(ending.partition()));
    }

    /** Whether Kafka has to tell first what became of the last commit. */
    boolean isInDoubt() {
        return inDoubt;
    }

    /** When we last were a member of the group for certain, as {@link System#nanoTime()}. */
    long memberAtNanos() {
        return memberAtNanos;
    }

    /**
     * Tries to commit these and what could not be committed before.
     *
     * @param underWay whether mails are under way, so that we have to stay sure that we may send them
     */
    void commit(List<Ending> ended, boolean underWay) {
        ended.stream().filter(this::isToBeSettled).forEach(pending::add);
        content.deleteWhenDue();
        backlog.measureWhenDue(ledgers);
        boolean proofDue = underWay && System.nanoTime() - memberAtNanos >= PROOF_INTERVAL.toNanos();
        if (pending.isEmpty() && !proofDue && !inDoubt) {
            return;
        }
        try {
            if (inDoubt) {
                resolveDoubt();
            }
            commitPending(proofDue);
        } catch (KafkaException e) {
            inDoubt = true;
            LOG.warnf("settlements are not committed yet count=%d: %s", pending.size(), e.toString());
        }
    }

    /** An attempt that outlasted a rebalance may end when others have the partition, or have done the record. */
    private boolean isToBeSettled(Ending ending) {
        OffsetLedger ledger = ledgers.get(ending.partition());
        return ledger != null && !ledger.isDone(ending.offset());
    }

    private void commitPending(boolean proofDue) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (Ending ending : pending) {
            ledger(ending.partition()).finish(ending.offset());
            records.addAll(ending.records());
        }
        pending.forEach(ending ->
                offsets.put(ending.partition(), ledger(ending.partition()).committable()));
        if (offsets.isEmpty() && proofDue) {
            ledgers.entrySet().stream()
                    .findFirst()
                    .ifPresent(any -> offsets.put(any.getKey(), any.getValue().committable()));
        }
        if (!offsets.isEmpty()) {
            long beginNanos = System.nanoTime();
            progress.commit(records, offsets, consumer.groupMetadata());
            memberAtNanos = beginNanos;
            offsets.forEach((partition, offset) -> content.settled(partition, offset.offset()));
            pending.clear();
        }
    }

    /** A new producer of the same id first brings the transaction of the old one to an end. */
    private void resolveDoubt() {
        progress.open();
        Map<TopicPartition, OffsetLedger> durable = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(ledgers.keySet());
        for (TopicPartition partition : ledgers.keySet()) {
            OffsetAndMetadata last = committed.get(partition);
            if (last != null) {
                durable.put(partition, OffsetLedger.restore(last));
            }
        }
        pending.removeIf(ending -> {
            OffsetLedger ledger = durable.get(ending.partition());
            return ledger != null && ledger.isDone(ending.offset());
        });
        inDoubt = false;
    }

    @Override
    public void close() {
        progress.close();
    }
}
