package dev.oneshot.ingest.recipient;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceScope;
import dev.oneshot.ingest.KafkaConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads the topic {@code address.closed} from its beginning, all partitions, in every node, and follows it.
 *
 * <p>Until it has been read once to where it ended at the start, {@link #isComplete} is false and the node is not
 * ready. Afterwards Kafka may go away: what is known stays, refusals only come later, and reading is resumed by itself.
 */
@Singleton
public final class ClosedAddressFeed {

    private static final Logger LOG = Logger.getLogger(ClosedAddressFeed.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration PARTITIONS_REFRESH_MIN = Duration.ofMillis(100);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final KafkaConfig kafka;
    private final AddressIdCodec codec;
    private final ClosedAddresses closed;
    private final Duration partitionsRefresh;
    private final InstantSource clock;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final AtomicReference<@Nullable KafkaConsumer<byte[], byte[]>> reading = new AtomicReference<>();

    private volatile boolean complete;
    private boolean full;

    ClosedAddressFeed(
            KafkaConfig kafka,
            RecipientConfig config,
            AddressIdCodec codec,
            ClosedAddresses closed,
            InstantSource clock) {
        if (config.closedPartitionsRefresh().compareTo(PARTITIONS_REFRESH_MIN) < 0) {
            throw new ConfigurationException("oneshot.recipient.closed-partitions-refresh must be at least PT0.1S");
        }
        this.partitionsRefresh = config.closedPartitionsRefresh();
        this.kafka = kafka;
        this.codec = codec;
        this.closed = closed;
        this.clock = clock;
    }

    /** Whether the topic has been read once from its beginning to its end. */
    public boolean isComplete() {
        return complete;
    }

    void start(@Observes StartupEvent event) {
        Thread.ofPlatform().name("closed-addresses").daemon().start(this::run);
    }

    void stop(@Observes ShutdownEvent event) {
        stopping.countDown();
        KafkaConsumer<byte[], byte[]> consumer = reading.get();
        if (consumer != null) {
            consumer.wakeup();
        }
    }

    private void run() {
        boolean stopped = false;
        while (!stopped) {
            try {
                read();
                // Or it returned for the partitions to be looked up anew.
                stopped = stopping.getCount() == 0;
            } catch (WakeupException e) {
                stopped = true;
            } catch (KafkaException e) {
                LOG.warnf("closed addresses not readable, trying again cause=%s", e.toString());
                stopped = awaitStop(RETRY);
            }
        }
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
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(configuration());
        reading.set(consumer);
        try {
            List<TopicPartition> partitions = partitions(consumer);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
            long refreshAt = System.nanoTime() + partitionsRefresh.toNanos();
            while (stopping.getCount() > 0) {
                // Before the first poll, which would wait for what an empty topic does not have.
                ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
                if (ends.isEmpty() && !complete) {
                    complete = true;
                    LOG.infof("closed addresses read addresses=%d", closed.size());
                }
                consumer.poll(POLL).forEach(this::take);
                closed.dropExpired(clock.instant());
                if (System.nanoTime() - refreshAt > 0) {
                    if (!partitions(consumer).equals(partitions)) {
                        // Partitions were added: from the beginning again, which changes nothing that is known.
                        return;
                    }
                    refreshAt = System.nanoTime() + partitionsRefresh.toNanos();
                }
            }
        } finally {
            reading.set(null);
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(STOP_TIMEOUT));
        }
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = consumer.partitionsFor(Topic.ADDRESS_CLOSED.topicName()).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .sorted(Comparator.comparingInt(TopicPartition::partition))
                .toList();
        if (partitions.isEmpty()) {
            throw new KafkaException("there is no topic " + Topic.ADDRESS_CLOSED.topicName());
        }
        return partitions;
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        byte[] value = message.value();
        if (value == null) {
            return;
        }
        try {
            AddressClosed event = EventCodec.decodeAddressClosed(value);
            Optional<AddressId> id = codec.verify(event.addressId());
            if (id.isPresent() && id.get().expiresBy().isAfter(clock.instant())) {
                remember(id.get(), event.reason());
            }
        } catch (EventFormatException e) {
            try (TraceScope _ = TraceScope.open(RecordTrace.continued(message.headers()))) {
                LOG.warnf(
                        "closed address not readable partition=%d offset=%d cause=%s",
                        message.partition(), message.offset(), e.getMessage());
            }
        }
    }

    private void remember(AddressId id, AddressClosed.Reason reason) {
        boolean remembered = closed.add(id, reason);
        if (!remembered && !full) {
            LOG.warnf("closed addresses full, later ones are not refused early addresses=%d", closed.size());
        }
        full = !remembered;
    }

    private Map<String, Object> configuration() {
        Map<String, Object> configuration = new HashMap<>(kafka.client());
        configuration.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        configuration.put(ConsumerConfig.CLIENT_ID_CONFIG, "ingest-closed-addresses");
        configuration.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        configuration.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        configuration.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        configuration.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        configuration.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        configuration.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        configuration.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        // What partitionsFor answers is no younger than this.
        configuration.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, partitionsRefresh.toMillis());
        return configuration;
    }
}
