package dev.oneshot.ingest.delivery;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.log.RepeatedFault;
import dev.oneshot.contracts.trace.RecordSpans;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.ingest.RefusalLog;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import io.opentelemetry.context.Context;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaProducer;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.TimeoutException;
import org.jboss.logging.Logger;

/**
 * The producer of the channel for {@code mail.inbound}. It is used directly: an emitter would cost a fifth of the rate, and buffer
 * without bound.
 *
 * <p>Its {@code send} never blocks ({@code max.block.ms=0}), so that event loops may call it. The partitions of the topic are read
 * at the start and kept, and large records wait here for their share of the producer's memory.
 */
@Singleton
final class InboundProducer {

    private static final Logger LOG = Logger.getLogger(InboundProducer.class);
    private static final String TOPIC = Topic.MAIL_INBOUND.topicName();
    private static final Duration FREED_CHECK = Duration.ofMillis(1);
    private static final int KIBIBYTE = 1024;
    // A generous bound for the structure and the frame of a record.
    private static final int STRUCTURE_KIB = 64;

    private final RecordSpans spans;
    private final Producer<byte[], byte[]> producer;
    private final Metric freeBytes;
    private final Duration timeout;
    private final int largeRecordsKib;
    private final Semaphore largeRecords;
    private final RepeatedFault unacknowledged = new RepeatedFault((count, seconds) ->
            LOG.infof("no more mail without acknowledgement records=%d seconds=%d", count, seconds));
    private final RefusalLog withoutMemory = new RefusalLog();
    private volatile boolean ready;

    InboundProducer(KafkaClientService clients, SmtpPolicy policy, RecordSpans spans) {
        KafkaProducer<byte[], byte[]> channel = clients.getProducer(InboundProducerSettings.CHANNEL);
        InboundProducerSettings settings =
                InboundProducerSettings.checked(channel.configuration(), policy.messageBytesMax());
        this.spans = spans;
        this.timeout = settings.timeout();
        this.largeRecordsKib = settings.largeRecordsKib();
        this.largeRecords = new Semaphore(largeRecordsKib, true);
        this.producer = channel.unwrap();
        this.freeBytes = freeBytes(producer);
    }

    /** Asks for the partitions of the topic, so that the producer requests them from Kafka until it has them. */
    void start(@Observes StartupEvent event) {
        var _ = isReady();
    }

    /** Whether the partitions of the topic have been read. */
    boolean isReady() {
        try {
            ready = ready || !producer.partitionsFor(TOPIC).isEmpty();
        } catch (TimeoutException e) {
            LOG.debugf("partitions not known yet topic=%s", TOPIC);
        } catch (KafkaException | IllegalStateException e) {
            LOG.warnf("partitions not readable topic=%s cause=%s", TOPIC, e.toString());
        }
        return ready;
    }

    /**
     * Waits for memory for a large record, then creates and sends it. The memory stays reserved until the outcome is known.
     *
     * @param messageBytes the length of the message, plain
     * @param delivery creates and sends the record
     * @return completes on this or the producer's thread, exceptionally only if the delivery does
     */
    CompletionStage<DeliveryOutcome> withMemoryFor(
            int messageBytes, Function<RecordMemory, CompletionStage<DeliveryOutcome>> delivery) {
        long deadline = System.nanoTime() + timeout.toNanos();
        RecordMemory memory = new RecordMemory(messageBytes);
        try {
            if (!largeRecords.tryAcquire(memory.share, timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return CompletableFuture.completedFuture(noMemory());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.completedFuture(noMemory());
        }
        // A delivery that throws also releases the memory.
        return CompletableFuture.completedFuture(deadline)
                .thenCompose(until -> awaitFree((long) kibibytes(messageBytes) * KIBIBYTE, until)
                        ? delivery.apply(memory)
                        : CompletableFuture.completedFuture(noMemory()))
                .whenComplete((_, _) -> largeRecords.release(memory.share));
    }

    private static int kibibytes(int bytes) {
        return bytes / KIBIBYTE + STRUCTURE_KIB;
    }

    /** The memory of a large record: first that of the plain and the compressed message, then that of the record. */
    final class RecordMemory {

        private int share;

        private RecordMemory(int messageBytes) {
            this.share = Math.min(largeRecordsKib, 2 * kibibytes(messageBytes));
        }

        /** Releases what a complete record does not need. */
        void shrinkTo(int recordBytes) {
            int present = Math.min(share, kibibytes(recordBytes));
            largeRecords.release(share - present);
            share = present;
        }
    }

    /**
     * Waits until the producer's own memory is free too. It frees the memory of a record only after it has reported the outcome,
     * and small records may hold more than their share.
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

    private static Metric freeBytes(Producer<byte[], byte[]> producer) {
        return producer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("buffer-available-bytes"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the producer has no metric buffer-available-bytes"));
    }

    /**
     * Sends a record; if the producer has no memory for it, the outcome is {@code OVERLOADED} at once.
     *
     * @return completes on the producer's thread, never exceptionally
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The callback gets the outcome.
    CompletionStage<DeliveryOutcome> send(byte[] key, byte[] value, Context parent) {
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        Context trace = spans.send(TOPIC, parent);
        try {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(TOPIC, key, value);
            TraceContext.put(record.headers(), trace);
            producer.send(record, (_, failure) -> {
                RecordSpans.end(trace, failure);
                outcome.complete(failure == null ? DeliveryOutcome.STORED : refused(failure));
            });
        } catch (KafkaException | IllegalStateException e) {
            RecordSpans.end(trace, e);
            outcome.complete(refused(e));
        }
        return outcome;
    }

    private DeliveryOutcome refused(Exception failure) {
        if (failure instanceof BufferExhaustedException) {
            return noMemory();
        }
        if (unacknowledged.begins()) {
            LOG.warnf("mail not acknowledged code=451 cause=%s", failure.toString());
        }
        return DeliveryOutcome.UNAVAILABLE;
    }

    private DeliveryOutcome noMemory() {
        withoutMemory.log(
                count -> LOG.warnf("mail refused for memory code=452 records=%d exhausted=buffer.memory", count));
        return DeliveryOutcome.OVERLOADED;
    }
}
