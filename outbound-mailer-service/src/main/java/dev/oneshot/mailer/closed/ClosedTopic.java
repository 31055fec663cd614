package dev.oneshot.mailer.closed;

import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceScope;
import dev.oneshot.mailer.kafka.KafkaClients;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Reads {@code address.closed} whole, then on. */
@Singleton
public final class ClosedTopic implements Runnable {

    private static final Logger LOG = Logger.getLogger(ClosedTopic.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final DeletedAddresses deleted;
    private final InstantSource clock;
    private final CountDownLatch readWhole = new CountDownLatch(1);

    public ClosedTopic(KafkaClients clients, DeletedAddresses deleted, InstantSource clock) {
        this.consumer = clients.soleConsumer();
        this.deleted = deleted;
        this.clock = clock;
    }

    /** Waits until everything that was there at the start has been read, or until {@link #stop()}. */
    public void awaitReadWhole() {
        try {
            readWhole.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the deleted addresses", e);
        }
    }

    @Override
    public void run() {
        try (consumer) {
            List<TopicPartition> partitions = partitions();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            @Nullable Map<TopicPartition, Long> ends = null;
            while (true) {
                ends = ends == null ? endOffsets(partitions) : ends;
                consumer.poll(POLL).forEach(this::take);
                if (readWhole.getCount() > 0 && ends != null && isPast(ends)) {
                    LOG.infof("deleted addresses read count=%d", deleted.size());
                    readWhole.countDown();
                }
            }
        } catch (WakeupException e) {
            LOG.debug("stopped reading deleted addresses");
        }
    }

    /** Ends {@link #run()}, from any thread. */
    public void stop() {
        consumer.wakeup();
        readWhole.countDown();
    }

    private List<TopicPartition> partitions() {
        while (true) {
            try {
                List<TopicPartition> partitions = consumer.partitionsFor(Topic.ADDRESS_CLOSED.topicName()).stream()
                        .map(info -> new TopicPartition(info.topic(), info.partition()))
                        .toList();
                if (!partitions.isEmpty()) {
                    return partitions;
                }
            } catch (WakeupException e) {
                throw e;
            } catch (KafkaException e) {
                LOG.warnf("deleted addresses cannot be read yet: %s", e.getMessage());
            }
        }
    }

    private @Nullable Map<TopicPartition, Long> endOffsets(List<TopicPartition> partitions) {
        try {
            return consumer.endOffsets(partitions);
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warnf("deleted addresses cannot be read yet: %s", e.getMessage());
            return null;
        }
    }

    private boolean isPast(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        try {
            AddressClosed event = EventCodec.decodeAddressClosed(record.value());
            if (event.reason() == AddressClosed.Reason.DELETED) {
                deleted.add(event.addressId(), event.until(), clock.instant());
            }
        } catch (EventFormatException e) {
            try (TraceScope _ = TraceScope.open(RecordTrace.continued(record.headers()))) {
                LOG.warnf(
                        "unreadable record topic=%s partition=%d offset=%d: %s",
                        record.topic(), record.partition(), record.offset(), e.getMessage());
            }
        }
    }
}
