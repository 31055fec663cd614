package dev.oneshot.api.inbox;

import dev.oneshot.contracts.event.Topic;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Polls, has batches handled and commits, until it is stopped. While a batch cannot be handled it goes back to the
 * batch's beginning, so as not to hold it in memory, and polls on with its partitions paused, so as to stay in the
 * group.
 */
final class InboundConsumer implements Runnable {

    private static final Logger LOG = Logger.getLogger(InboundConsumer.class);
    private static final Duration POLL_TIME = Duration.ofMillis(500);
    private static final Duration COMMIT_TIME = Duration.ofSeconds(5);
    private static final Duration PAUSED_POLL_TIME = Duration.ofMillis(100);

    private final Supplier<Consumer<String, byte[]>> opening;
    private final InboundBatch batches;
    private final InboxMetrics metrics;
    private final Pauses pauses;
    private final ReplayWindow window;
    private final AtomicLong backlog;
    private final CountDownLatch stopping = new CountDownLatch(1);

    InboundConsumer(
            Supplier<Consumer<String, byte[]>> opening,
            InboundBatch batches,
            InboxMetrics metrics,
            Pauses pauses,
            ReplayWindow window,
            AtomicLong backlog) {
        this.opening = opening;
        this.batches = batches;
        this.metrics = metrics;
        this.pauses = pauses;
        this.window = window;
        this.backlog = backlog;
    }

    /** Has it stop after the batch at work. */
    void stop() {
        stopping.countDown();
    }

    @Override
    public void run() {
        try {
            while (!isStopping()) {
                consumeUntilBroken();
            }
        } catch (InterruptedException e) {
            LOG.info("inbound consumer interrupted");
            Thread.currentThread().interrupt();
        }
    }

    private void consumeUntilBroken() throws InterruptedException {
        try (Consumer<String, byte[]> consumer = opening.get()) {
            consumer.subscribe(List.of(Topic.MAIL_INBOUND.topicName()), new Partitions(consumer, window));
            while (!isStopping()) {
                ConsumerRecords<String, byte[]> records = consumer.poll(POLL_TIME);
                backlog.set(backlogOf(consumer) + records.count());
                if (!records.isEmpty()) {
                    handle(consumer, records);
                }
                window.move();
            }
            consumer.commitSync(COMMIT_TIME);
        } catch (KafkaException e) {
            LOG.error("inbound consumer broken, to be opened anew", e);
            metrics.postponed();
            var _ = stopping.await(pauses.next().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void handle(Consumer<String, byte[]> consumer, ConsumerRecords<String, byte[]> records)
            throws InterruptedException {
        try {
            batches.handle(records);
        } catch (RuntimeException e) {
            // Whatever it is, the mails were accepted: they stay on the topic and are tried again, however long it
            // takes.
            LOG.warnf(e, "mails put off records=%d", records.count());
            metrics.postponed();
            rewind(consumer, records);
            pause(consumer, pauses.next());
            return;
        }
        pauses.reset();
        window.stored(records.nextOffsets());
        consumer.commitAsync(InboundConsumer::committed);
    }

    /** Polls on with everything paused; also what is assigned meanwhile goes back to its beginning. */
    private void pause(Consumer<String, byte[]> consumer, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end && !isStopping()) {
            consumer.pause(consumer.assignment());
            rewind(consumer, consumer.poll(PAUSED_POLL_TIME));
            backlog.set(backlogOf(consumer));
        }
        consumer.resume(consumer.paused());
    }

    private static void rewind(Consumer<String, byte[]> consumer, ConsumerRecords<String, byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            if (consumer.assignment().contains(partition)) {
                consumer.seek(partition, records.records(partition).getFirst().offset());
            }
        }
    }

    private static void committed(Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable Exception failure) {
        if (failure != null) {
            LOG.warn("offsets not committed: these mails come again, which does no harm", failure);
        }
    }

    /** Asks nobody: as far as the last fetches told. What was just polled is not counted. */
    private static long backlogOf(Consumer<String, byte[]> consumer) {
        return consumer.assignment().stream()
                .mapToLong(partition -> consumer.currentLag(partition).orElse(0))
                .sum();
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** Keeps whoever gets the partitions next from handling again what is done, and ends what another began. */
    private record Partitions(Consumer<String, byte[]> consumer, ReplayWindow window)
            implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            try {
                consumer.commitSync(COMMIT_TIME);
            } catch (KafkaException e) {
                LOG.warn("offsets not committed before a rebalance: these mails come again", e);
            }
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            LOG.debugf("inbound partitions assigned count=%d", partitions.size());
            try {
                Map<TopicPartition, OffsetAndMetadata> stored =
                        new HashMap<>(consumer.committed(Set.copyOf(partitions), COMMIT_TIME));
                // A partition of which nothing was stored yet.
                stored.values().removeIf(Objects::isNull);
                window.stored(stored);
            } catch (KafkaException e) {
                LOG.warn("offsets not read: stored mail leaves Kafka along with what is stored next", e);
            }
        }
    }
}
