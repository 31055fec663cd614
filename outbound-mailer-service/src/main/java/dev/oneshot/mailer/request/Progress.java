package dev.oneshot.mailer.request;

import dev.oneshot.mailer.kafka.KafkaClients;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Writes records and the consumer's progress in one transaction. For one thread. */
final class Progress implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Progress.class);

    private final KafkaClients clients;
    private final String transactionalId;
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    /** @param transactionalId of this process and consumer alone */
    Progress(KafkaClients clients, String transactionalId) {
        this.clients = clients;
        this.transactionalId = transactionalId;
    }

    /** Gets ready; ends what an earlier producer of this id may have left half done. */
    void open() {
        if (producer == null) {
            KafkaProducer<byte[], byte[]> opened = clients.transactionalProducer(transactionalId);
            try {
                opened.initTransactions();
            } catch (KafkaException e) {
                opened.close(Duration.ZERO);
                throw e;
            }
            producer = opened;
        }
    }

    /**
     * Commits all or nothing.
     *
     * @throws KafkaException if it is not known whether it did; after the next {@link #open()} the committed offsets say
     */
    void commit(
            Collection<ProducerRecord<byte[], byte[]>> records,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group) {
        open();
        KafkaProducer<byte[], byte[]> current = producer;
        if (current == null) {
            throw new IllegalStateException("not open");
        }
        try {
            current.beginTransaction();
            for (ProducerRecord<byte[], byte[]> record : records) {
                var _ = current.send(record);
            }
            current.sendOffsetsToTransaction(offsets, group);
            current.commitTransaction();
        } catch (KafkaException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        KafkaProducer<byte[], byte[]> closing = producer;
        producer = null;
        if (closing != null) {
            try {
                closing.close(Duration.ZERO);
            } catch (KafkaException e) {
                LOG.warnf("producer did not close cleanly: %s", e.getMessage());
            }
        }
    }
}
