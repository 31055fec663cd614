package dev.oneshot.api.sending;

import dev.oneshot.api.background.BackgroundWork;
import dev.oneshot.contracts.event.Topic;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Frees leases that ended without a result, once {@code mail.settled} has no unread result for them: writes a record to each
 * partition, and waits until the consumers of all replicas have read it.
 */
@ApplicationScoped
class SettledFence {

    private static final Logger LOG = Logger.getLogger(SettledFence.class);

    /** How long a mailer may take to report delayed results after Kafka is back. */
    private static final Duration GRACE = Duration.ofSeconds(10);
    /** How far the clocks of a mailer and the database may be apart. */
    private static final Duration SKEW = Duration.ofSeconds(2);
    /** If two probes are further apart, Kafka may have been down between them. */
    private static final Duration PROBES_APART_MAX = Duration.ofSeconds(3);

    private static final Duration FENCE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String HEADER = "oneshot-fence";

    private final Outbox outbox;
    private final DueMails dueMails;
    private final Admin admin;
    private final BackgroundWork work;
    private final Counter released;
    private @Nullable Long reachedSinceNanos;
    private long reachedAtNanos;
    private @Nullable Fence fence;

    SettledFence(Outbox outbox, DueMails dueMails, Admin admin, BackgroundWork work, MeterRegistry registry) {
        this.outbox = outbox;
        this.dueMails = dueMails;
        this.admin = admin;
        this.work = work;
        this.released = Counter.builder("oneshot.outbox.released")
                .description("Leases that ended without a result, so that the mail is attempted again")
                .register(registry);
    }

    private record Fence(Instant at, long atNanos, Map<TopicPartition, Long> offsets) {}

    /** Whether a record of {@code mail.settled} is a fence, which has no result. */
    static boolean isFence(ConsumerRecord<?, ?> record) {
        return record.headers().lastHeader(HEADER) != null;
    }

    /** Probes Kafka also while no lease has ended, to know for how long it has responded. */
    @Scheduled(
            every = "1s",
            delayed = "1s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void look() throws InterruptedException {
        work.run(this::releaseEnded);
    }

    private void releaseEnded() throws InterruptedException {
        try {
            Optional<Instant> ended = isReachedLongEnough() ? outbox.withEndedLease() : Optional.empty();
            if (ended.isPresent()) {
                release(ended.get());
            }
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            fence = null;
            LOG.warnf("ended leases not released: %s", e.toString());
        }
    }

    private boolean isReachedLongEnough() throws InterruptedException {
        try {
            dueMails.requireKafka();
        } catch (KafkaException e) {
            LOG.debugf("Kafka does not respond: %s", e.getCause());
            reachedSinceNanos = null;
            return false;
        }
        long now = System.nanoTime();
        if (reachedSinceNanos == null || now - reachedAtNanos > PROBES_APART_MAX.toNanos()) {
            reachedSinceNanos = now;
            fence = null;
        }
        reachedAtNanos = now;
        return now - reachedSinceNanos >= GRACE.toNanos();
    }

    /** @param now the database's time */
    private void release(Instant now) throws ExecutionException, InterruptedException, TimeoutException {
        Fence placed = fence;
        if (placed == null || System.nanoTime() - placed.atNanos() > FENCE_TIMEOUT.toNanos()) {
            fence = place(now);
        } else if (isPassed(placed)) {
            fence = null;
            int freed = outbox.release(placed.at().minus(SKEW));
            if (freed > 0) {
                LOG.warnf("leases ended without a result, their mails are attempted again count=%d", freed);
                released.increment(freed);
            }
        }
    }

    private Fence place(Instant now) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        String topic = Topic.MAIL_SETTLED.topicName();
        for (PartitionInfo partition :
                dueMails.producer().partitionsFor(topic).await().atMost(TIMEOUT)) {
            ProducerRecord<String, byte[]> record =
                    new ProducerRecord<>(topic, partition.partition(), null, new byte[0]);
            record.headers().add(HEADER, now.toString().getBytes(StandardCharsets.US_ASCII));
            RecordMetadata written = dueMails.producer().send(record).await().atMost(TIMEOUT);
            offsets.put(new TopicPartition(topic, partition.partition()), written.offset());
        }
        return new Fence(now, System.nanoTime(), offsets);
    }

    private boolean isPassed(Fence placed) throws ExecutionException, InterruptedException, TimeoutException {
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(SettledConsumer.GROUP)
                .partitionsToOffsetAndMetadata()
                .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        return placed.offsets().entrySet().stream().allMatch(fenced -> {
            @Nullable OffsetAndMetadata offset = committed.get(fenced.getKey());
            return offset != null && offset.offset() > fenced.getValue();
        });
    }
}
