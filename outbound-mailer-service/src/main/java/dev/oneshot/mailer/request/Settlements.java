package dev.oneshot.mailer.request;

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
 * they name each record that is done, and only what they do not name is committed again. For one thread.
 */
final class Settlements implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Settlements.class);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Progress progress;
    private final SettledContent content;
    private final Backlog backlog;
    private final Map<TopicPartition, OffsetLedger> ledgers = new HashMap<>();
    private final List<Ending> pending = new ArrayList<>();
    private boolean inDoubt;

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

    /** Tries to commit these and what could not be committed before. */
    void commit(List<Ending> ended) {
        ended.stream().filter(ending -> ledgers.containsKey(ending.partition())).forEach(pending::add);
        content.deleteWhenDue();
        backlog.measureWhenDue(ledgers);
        if (pending.isEmpty()) {
            return;
        }
        try {
            if (inDoubt) {
                resolveDoubt();
            }
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (Ending ending : pending) {
                ledger(ending.partition()).finish(ending.offset());
                records.addAll(ending.records());
            }
            pending.forEach(ending ->
                    offsets.put(ending.partition(), ledger(ending.partition()).committable()));
            if (!offsets.isEmpty()) {
                progress.commit(records, offsets, consumer.groupMetadata());
                offsets.forEach((partition, offset) -> content.settled(partition, offset.offset()));
                pending.clear();
            }
        } catch (KafkaException e) {
            inDoubt = true;
            LOG.warnf("settlements are not committed yet count=%d: %s", pending.size(), e.toString());
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
