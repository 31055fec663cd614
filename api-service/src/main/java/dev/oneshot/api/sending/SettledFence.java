package dev.oneshot.api.sending;

import dev.oneshot.contracts.event.Topic;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Tells until when the results of attempts are known, however long {@code mail.settled} is behind. It writes a record to each
 * partition and waits until the consumers of all replicas have passed these. For one thread.
 */
@ApplicationScoped
class SettledFence {

    /** How long a mailer may take to report delayed results after Kafka is back. */
    private static final Duration GRACE = Duration.ofSeconds(10);
    /** How far the clocks of a mailer and the database may be apart. */
    private static final Duration SKEW = Duration.ofSeconds(2);

    private static final Duration FENCE_TIMEOUT = Duration.ofSeconds(30);
    private static final long TIMEOUT_SECONDS = 5;
    private static final String HEADER = "oneshot-fence";

    private final DueMails dueMails;
    private @Nullable Fence fence;

    SettledFence(DueMails dueMails) {
        this.dueMails = dueMails;
    }

    private record Fence(Instant at, long atNanos, Map<TopicPartition, Long> offsets) {}

    /** Whether a record of {@code mail.settled} is a fence and has no result. */
    static boolean isFence(ConsumerRecord<?, ?> record) {
        return record.headers().lastHeader(HEADER) != null;
    }

    /**
     * Looks again; called about once a second while there is a lease that has ended.
     *
     * @param now the database's time
     * @return results of leases that ended before this are known; empty if that is not known yet
     */
    Optional<Instant> knownUntil(Instant now) {
        try {
            dueMails.requireKafka();
            if (dueMails.reachedFor().compareTo(GRACE) < 0) {
                fence = null;
                return Optional.empty();
            }
            Fence placed = fence;
            if (placed == null || System.nanoTime() - placed.atNanos() > FENCE_TIMEOUT.toNanos()) {
                fence = place(now);
                return Optional.empty();
            }
            if (!isPassed(placed)) {
                return Optional.empty();
            }
            fence = null;
            return Optional.of(placed.at().minus(SKEW));
        } catch (ExecutionException | TimeoutException e) {
            fence = null;
            throw new KafkaException("mail.settled cannot be fenced", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while fencing mail.settled", e);
        }
    }

    private Fence place(Instant now) throws ExecutionException, InterruptedException, TimeoutException {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        String topic = Topic.MAIL_SETTLED.topicName();
        for (PartitionInfo partition :
                get(dueMails.producer().partitionsFor(topic).subscribeAsCompletionStage())) {
            ProducerRecord<String, byte[]> record =
                    new ProducerRecord<>(topic, partition.partition(), null, new byte[0]);
            record.headers().add(HEADER, now.toString().getBytes(StandardCharsets.US_ASCII));
            RecordMetadata written = get(dueMails.producer().send(record).subscribeAsCompletionStage());
            offsets.put(new TopicPartition(topic, partition.partition()), written.offset());
        }
        return new Fence(now, System.nanoTime(), offsets);
    }

    private static <T> T get(Future<T> future) throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private boolean isPassed(Fence placed) throws ExecutionException, InterruptedException, TimeoutException {
        Map<TopicPartition, OffsetAndMetadata> committed = dueMails.admin()
                .listConsumerGroupOffsets(SettledConsumer.GROUP, new ListConsumerGroupOffsetsOptions())
                .partitionsToOffsetAndMetadata()
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        return placed.offsets().entrySet().stream().allMatch(fenced -> {
            @Nullable OffsetAndMetadata offset = committed.get(fenced.getKey());
            return offset != null && offset.offset() > fenced.getValue();
        });
    }
}
