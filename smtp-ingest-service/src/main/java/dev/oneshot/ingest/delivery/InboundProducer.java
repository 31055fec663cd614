package dev.oneshot.ingest.delivery;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.ingest.KafkaConfig;
import dev.oneshot.ingest.RefusalCount;
import dev.oneshot.ingest.smtp.DeliveryOutcome;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jboss.logging.Logger;

/**
 * The one Kafka producer of the service, for {@code mail.inbound}.
 *
 * <p>Its {@code send} never blocks ({@code max.block.ms=0}), so that event loops may call it: what it would wait for is
 * arranged beforehand. The partitions of the topic are learnt at the start and not forgotten, and large records wait
 * for their share of the producer's memory here.
 */
@Singleton
final class InboundProducer {

    private static final Logger LOG = Logger.getLogger(InboundProducer.class);
    private static final String TOPIC = Topic.MAIL_INBOUND.topicName();
    private static final Duration RETRY = Duration.ofMillis(100);
    private static final Duration FREED_CHECK = Duration.ofMillis(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final int BATCH_BYTES = 64 * 1024;
    private static final int KIBIBYTE = 1024;
    // What the structure and the frame of a record add to its message, generously.
    private static final int STRUCTURE_KIB = 64;
    // With as many parts and header fields as are read of a message at most.
    private static final int LARGEST_STRUCTURE_BYTES = 2 * 1024 * KIBIBYTE;
    // For so long clients wait for the reply (RFC 5321 §4.5.3.2.6).
    private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);
    // Large records leave this much of the producer's memory to small ones.
    private static final int SMALL_RECORDS_KIB = 16 * KIBIBYTE;

    private final KafkaProducer<byte[], byte[]> producer;
    private final Metric freeBytes;
    private final Duration timeout;
    private final int largeRoomKib;
    private final Semaphore largeRoom;
    private final RefusalCount unacknowledged = new RefusalCount();
    private final RefusalCount withoutRoom = new RefusalCount();
    private volatile boolean ready;
    private volatile boolean stopping;

    InboundProducer(KafkaConfig kafka, DeliveryConfig config, SmtpPolicy policy) {
        if (!config.requestTimeout().isPositive()) {
            throw new ConfigurationException("oneshot.delivery.request-timeout must be more than 0");
        }
        if (config.timeout().compareTo(config.requestTimeout()) < 0
                || config.timeout().compareTo(TIMEOUT_MAX) > 0) {
            throw new ConfigurationException(
                    "oneshot.delivery.timeout must be between oneshot.delivery.request-timeout and 10 minutes");
        }
        this.timeout = config.timeout();
        long bufferBytes = config.bufferMemory().asLongValue();
        long bufferBytesMin =
                Math.max(policy.messageBytesMax(), (long) SMALL_RECORDS_KIB * KIBIBYTE) + LARGEST_STRUCTURE_BYTES;
        if (bufferBytes < bufferBytesMin || bufferBytes > Integer.MAX_VALUE) {
            throw new ConfigurationException("oneshot.delivery.buffer-memory must be between " + bufferBytesMin
                    + " octets, which is 2M more than oneshot.smtp.message-bytes-max, and " + Integer.MAX_VALUE);
        }
        this.largeRoomKib = (int) (bufferBytes / KIBIBYTE) - SMALL_RECORDS_KIB;
        this.largeRoom = new Semaphore(largeRoomKib, true);
        this.producer = new KafkaProducer<>(configuration(kafka, config));
        this.freeBytes = freeBytes(producer);
    }

    void start(@Observes StartupEvent event) {
        Thread.ofVirtual().name("inbound-topic").start(this::learnTopic);
    }

    /** After the sessions have ended, which wait for what is under way here, or were broken off: then nobody waits any more. */
    void stop(@Observes @Priority(3000) ShutdownEvent event) {
        stopping = true;
        producer.close(CLOSE_TIMEOUT);
    }

    boolean isReady() {
        return ready;
    }

    /**
     * Waits for room for a record, then has it made and sent. It is made only then, as those that wait would otherwise
     * hold as much memory as they wait for. The room is kept until the outcome is there.
     *
     * @param octetsAbout how long the record will be, more or less
     * @param delivery makes the record and sends it
     * @return completes on this or the producer's thread, exceptionally only if the delivery does
     */
    CompletionStage<DeliveryOutcome> withRoomFor(int octetsAbout, Supplier<CompletionStage<DeliveryOutcome>> delivery) {
        long deadline = System.nanoTime() + timeout.toNanos();
        int kibibytes = octetsAbout / KIBIBYTE + STRUCTURE_KIB;
        int share = Math.min(largeRoomKib, kibibytes);
        try {
            if (!largeRoom.tryAcquire(share, timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return CompletableFuture.completedFuture(noRoom());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.completedFuture(noRoom());
        }
        try {
            CompletionStage<DeliveryOutcome> outcome = awaitFree((long) kibibytes * KIBIBYTE, deadline)
                    ? delivery.get()
                    : CompletableFuture.completedFuture(noRoom());
            return outcome.whenComplete((_, _) -> largeRoom.release(share));
        } catch (RuntimeException | Error e) {
            largeRoom.release(share);
            throw e;
        }
    }

    /**
     * The producer tells the outcome of a record a moment before it frees its memory, so that the room of one large record
     * may be had when its memory cannot; and small ones may have taken more than is left to them.
     */
    private boolean awaitFree(long bytes, long deadline) {
        while (((Number) freeBytes.metricValue()).longValue() < bytes) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(FREED_CHECK.toNanos());
        }
        return true;
    }

    private static Metric freeBytes(KafkaProducer<byte[], byte[]> producer) {
        return producer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("buffer-available-bytes"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the producer does not tell what memory it has left"));
    }

    /**
     * Sends a record, or says at once that there is no room for it.
     *
     * @return completes on the producer's thread, never exceptionally
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The callback hears all that the future would tell.
    CompletionStage<DeliveryOutcome> send(byte[] key, byte[] value, TraceContext trace) {
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        try {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(TOPIC, key, value);
            RecordTrace.put(record.headers(), trace);
            producer.send(record, (_, failure) -> {
                if (failure == null) {
                    outcome.complete(DeliveryOutcome.STORED);
                } else {
                    outcome.complete(refused(failure));
                }
            });
        } catch (KafkaException | IllegalStateException e) {
            outcome.complete(refused(e));
        }
        return outcome;
    }

    private DeliveryOutcome refused(Exception failure) {
        if (failure instanceof BufferExhaustedException) {
            return noRoom();
        }
        long count = unacknowledged.count(System.nanoTime());
        if (count > 0) {
            LOG.warnf("mail not acknowledged code=451 records=%d cause=%s", count, failure.toString());
        }
        return DeliveryOutcome.UNAVAILABLE;
    }

    private DeliveryOutcome noRoom() {
        long count = withoutRoom.count(System.nanoTime());
        if (count > 0) {
            LOG.warnf("mail refused for memory code=452 records=%d exhausted=oneshot.delivery.buffer-memory", count);
        }
        return DeliveryOutcome.OVERLOADED;
    }

    private void learnTopic() {
        while (!ready && !stopping) {
            try {
                ready = !producer.partitionsFor(TOPIC).isEmpty();
            } catch (TimeoutException e) {
                LOG.debugf("partitions not known yet topic=%s", TOPIC);
            } catch (KafkaException | IllegalStateException e) {
                LOG.warnf("partitions not readable topic=%s cause=%s", TOPIC, e.toString());
            }
            if (!ready) {
                pause();
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping = true;
        }
    }

    private static Map<String, Object> configuration(KafkaConfig kafka, DeliveryConfig config) {
        Map<String, Object> configuration = new HashMap<>(kafka.client());
        configuration.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        configuration.put(ProducerConfig.CLIENT_ID_CONFIG, "ingest-mail-inbound");
        configuration.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        configuration.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        configuration.put(ProducerConfig.ACKS_CONFIG, "all");
        configuration.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        configuration.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        configuration.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        configuration.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
        configuration.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topic.RECORD_BYTES_MAX);
        configuration.put(
                ProducerConfig.BUFFER_MEMORY_CONFIG, config.bufferMemory().asLongValue());
        configuration.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
        // "rebootstrap" would forget the partitions while the brokers are away, and refuse for a while once they are
        // back.
        configuration.put(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "none");
        configuration.put(
                ProducerConfig.METADATA_MAX_IDLE_CONFIG, Duration.ofDays(365).toMillis());
        configuration.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.requestTimeout().toMillis()));
        configuration.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.timeout().toMillis()));
        return configuration;
    }
}
