package dev.oneshot.api.address;

import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.contracts.trace.TraceScope;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jboss.logging.Logger;

/**
 * Announces to the ingest nodes which addresses take no more mail. Best effort: if an announcement is lost, mail for the address is
 * accepted, then dropped. So callers never wait: announcements queue for the sending thread of their channel, up to a bound. An
 * announcement that does not fit, that Kafka rejects, or that still waits at a stop is counted and dropped.
 */
@ApplicationScoped
public class ClosedAddresses {

    private static final Logger LOG = Logger.getLogger(ClosedAddresses.class);
    private static final int QUEUE_MAX = 50_000;
    private static final Duration STOP_TIME = Duration.ofSeconds(3);
    private static final String CHANNEL = "address-closed";

    private final KafkaClientService clients;
    private final Counter published;
    private final Counter dropped;
    private final Queue<Announcement> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean sending = new AtomicBoolean();
    private final Semaphore places = new Semaphore(QUEUE_MAX);

    ClosedAddresses(KafkaClientService clients, MeterRegistry metrics) {
        this.clients = clients;
        this.published = metrics.counter("oneshot.closed.published");
        this.dropped = metrics.counter("oneshot.closed.dropped");
    }

    /** Waits until the queue is empty. Runs after the consumers have stopped, as they announce the addresses of
     * stored mail. */
    void stop(@Observes @Priority(Interceptor.Priority.APPLICATION + 1000) ShutdownEvent event)
            throws InterruptedException {
        var _ = places.tryAcquire(QUEUE_MAX, STOP_TIME.toSeconds(), TimeUnit.SECONDS);
        while (waiting.poll() != null) {
            dropped.increment();
        }
    }

    /** Announces this soon, as part of the trace of its caller; never waits. */
    public void announce(AddressClosed closed) {
        if (!places.tryAcquire()) {
            dropped.increment();
            return;
        }
        waiting.add(new Announcement(closed, TraceScope.current()));
        // One task sends what waits: a task for each would cost more than the sending.
        if (sending.compareAndSet(false, true)) {
            var _ = clients.<String, byte[]>getProducer(CHANNEL)
                    .runOnSendingThread(this::publishWaiting)
                    .subscribe()
                    .with(_ -> {}, this::producerUnavailable);
        }
    }

    private record Announcement(AddressClosed closed, TraceContext trace) {}

    private void publishWaiting(Producer<String, byte[]> producer) {
        sending.set(false);
        for (Announcement next = waiting.poll(); next != null; next = waiting.poll()) {
            try {
                publish(producer, next.closed(), next.trace());
            } finally {
                places.release();
            }
        }
    }

    /** There is no producer, or it is closed. The announcements stay queued; the next call of {@link #announce} tries again. */
    private void producerUnavailable(Throwable failure) {
        sending.set(false);
        LOG.debug("closed addresses not announced yet", failure);
    }

    private void publish(Producer<String, byte[]> producer, AddressClosed closed, TraceContext trace) {
        ProducerRecord<String, byte[]> message =
                new ProducerRecord<>(Topic.ADDRESS_CLOSED.topicName(), closed.addressId(), EventCodec.encode(closed));
        RecordTrace.put(message.headers(), trace);
        var _ = producer.send(message, (_, failure) -> {
            if (failure == null) {
                published.increment();
                return;
            }
            dropped.increment();
            try (TraceScope _ = TraceScope.open(trace)) {
                LOG.debugf(failure, "closed address not announced addressId=%s", closed.addressId());
            }
        });
    }
}
