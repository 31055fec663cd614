package dev.oneshot.mailer.closed;

import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceScope;
import dev.oneshot.mailer.kafka.KafkaClients;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * Reads {@code address.closed} whole, then on, with partitions that are added later. While Kafka is away what is known
 * stays.
 */
@Singleton
public final class ClosedTopic implements Runnable {

    private static final Logger LOG = Logger.getLogger(ClosedTopic.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration PARTITIONS_REFRESH = Duration.ofSeconds(30);

    private final KafkaClients clients;
    private final DeletedAddresses deleted;
    private final Duration partitionsRefresh;
    private final InstantSource clock;
    private final CountDownLatch readWhole = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);

    @Inject
    public ClosedTopic(KafkaClients clients, DeletedAddresses deleted, InstantSource clock) {
        this(clients, deleted, PARTITIONS_REFRESH, clock);
    }

    ClosedTopic(KafkaClients clients, DeletedAddresses deleted, Duration partitionsRefresh, InstantSource clock) {
        this.clients = clients;
        this.deleted = deleted;
        this.partitionsRefresh = partitionsRefresh;
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
        boolean stopped = false;
        while (!stopped) {
            try {
                read();
                // Or it returned for partitions that were added.
                stopped = stopping.getCount() == 0;
            } catch (KafkaException e) {
                LOG.warnf("deleted addresses not readable, trying again: %s", e.getMessage());
                stopped = awaitStop(RETRY);
            }
        }
    }

    /** Ends {@link #run()} within a poll's time, from any thread. */
    public void stop() {
        stopping.countDown();
        readWhole.countDown();
    }

    private boolean awaitStop(Duration time) {
        try {
            return stopping.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void read() {
        try (KafkaConsumer<byte[], byte[]> consumer = clients.soleConsumer(partitionsRefresh)) {
            Set<TopicPartition> partitions = partitions(consumer);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
            long refreshAt = System.nanoTime() + partitionsRefresh.toNanos();
            while (stopping.getCount() > 0) {
                // Before the first poll, which would wait for what an empty topic does not have.
                ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
                if (ends.isEmpty() && readWhole.getCount() > 0) {
                    LOG.infof("deleted addresses read count=%d", deleted.size());
                    readWhole.countDown();
                }
                consumer.poll(POLL).forEach(this::take);
                if (System.nanoTime() - refreshAt > 0) {
                    if (!partitions(consumer).equals(partitions)) {
                        // From the beginning again, which changes nothing that is known.
                        return;
                    }
                    refreshAt = System.nanoTime() + partitionsRefresh.toNanos();
                }
            }
        }
    }

    private static Set<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
        Set<TopicPartition> partitions = consumer.partitionsFor(Topic.ADDRESS_CLOSED.topicName()).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .collect(Collectors.toSet());
        if (partitions.isEmpty()) {
            throw new KafkaException("there is no topic " + Topic.ADDRESS_CLOSED.topicName());
        }
        return partitions;
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
