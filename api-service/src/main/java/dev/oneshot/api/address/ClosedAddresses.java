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
import io.quarkus.runtime.StartupEvent;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Announces to the ingest nodes which addresses take no more mail. Best effort: a lost announcement only makes a
 * rejection later. So callers never wait: there is a bounded queue and one thread. An announcement that does not fit
 * or cannot be sent is counted and dropped.
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
    private final ThreadPoolExecutor thread;
    private volatile @Nullable Producer<String, byte[]> producer;

    ClosedAddresses(KafkaClientService clients, MeterRegistry metrics) {
        this.clients = clients;
        this.published = metrics.counter("oneshot.closed.published");
        this.dropped = metrics.counter("oneshot.closed.dropped");
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE_MAX),
                Thread.ofPlatform().name("closed-addresses").daemon().factory(),
                (_, _) -> dropped.increment());
        metrics.gauge("oneshot.closed.queued", thread.getQueue(), Queue::size);
    }

    void start(@Observes StartupEvent event) {
        thread.execute(() -> {
            try {
                var _ = producer();
            } catch (RuntimeException e) {
                LOG.log(
                        thread.isShutdown() ? Logger.Level.DEBUG : Logger.Level.ERROR,
                        "closed addresses are not announced, as their producer is not open",
                        e);
            }
        });
    }

    /** After the consumers, which announce the addresses of stored mail. */
    void stop(@Observes @Priority(Interceptor.Priority.APPLICATION + 1000) ShutdownEvent event)
            throws InterruptedException {
        thread.shutdown();
        if (producer == null || !thread.awaitTermination(STOP_TIME.toSeconds(), TimeUnit.SECONDS)) {
            thread.shutdownNow();
        }
    }

    /** Announces this soon, as part of the trace of its caller; never waits. */
    public void announce(AddressClosed closed) {
        TraceContext trace = TraceScope.current();
        thread.execute(() -> publish(closed, trace));
    }

    /** Until it is open, announcements wait in the queue. */
    private Producer<String, byte[]> producer() {
        Producer<String, byte[]> opened = producer;
        if (opened == null) {
            opened = clients.<String, byte[]>getProducer(CHANNEL)
                    .runOnSendingThread(Function.identity())
                    .await()
                    .indefinitely();
            producer = opened;
        }
        return opened;
    }

    private void publish(AddressClosed closed, TraceContext trace) {
        ProducerRecord<String, byte[]> message =
                new ProducerRecord<>(Topic.ADDRESS_CLOSED.topicName(), closed.addressId(), EventCodec.encode(closed));
        RecordTrace.put(message.headers(), trace);
        try {
            var _ = producer().send(message, (_, failure) -> {
                if (failure == null) {
                    published.increment();
                } else {
                    notPublished(closed, trace, failure);
                }
            });
        } catch (RuntimeException e) {
            notPublished(closed, trace, e);
        }
    }

    private void notPublished(AddressClosed closed, TraceContext trace, Exception failure) {
        dropped.increment();
        try (TraceScope _ = TraceScope.open(trace)) {
            LOG.debugf(failure, "closed address not announced addressId=%s", closed.addressId());
        }
    }
}
