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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jboss.logging.Logger;

/**
 * Announces to the ingest nodes which addresses take no more mail. Best effort: a lost announcement only makes a
 * rejection later. So callers never wait: there is a bounded queue and one thread. An announcement that does not fit
 * or cannot be sent is counted and dropped.
 */
@ApplicationScoped
public class ClosedAddresses {

    private static final Logger LOG = Logger.getLogger(ClosedAddresses.class);
    private static final int QUEUE_MAX = 50_000;
    private static final int TAKEN_AT_ONCE = 500;
    private static final Duration STOP_TIME = Duration.ofSeconds(3);
    private static final String CHANNEL = "address-closed";

    private final BlockingQueue<Announcement> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final KafkaClientService clients;
    private final Counter published;
    private final Counter dropped;
    private final Thread thread;
    private volatile boolean stopping;

    ClosedAddresses(KafkaClientService clients, MeterRegistry metrics) {
        this.clients = clients;
        this.published = metrics.counter("oneshot.closed.published");
        this.dropped = metrics.counter("oneshot.closed.dropped");
        metrics.gauge("oneshot.closed.queued", queue, BlockingQueue::size);
        this.thread = Thread.ofPlatform().name("closed-addresses").daemon().unstarted(this::run);
    }

    void start(@Observes StartupEvent event) {
        thread.start();
    }

    /** After the consumers, which announce the addresses of stored mail. */
    void stop(@Observes @Priority(Interceptor.Priority.APPLICATION + 1000) ShutdownEvent event)
            throws InterruptedException {
        stopping = true;
        thread.interrupt();
        var _ = thread.join(STOP_TIME);
    }

    private record Announcement(AddressClosed closed, TraceContext trace) {}

    /** Announces this soon, as part of the trace of its caller; never waits. */
    public void announce(AddressClosed closed) {
        if (!queue.offer(new Announcement(closed, TraceScope.current()))) {
            dropped.increment();
        }
    }

    private void run() {
        try {
            publishUntilStopped(clients.<String, byte[]>getProducer(CHANNEL)
                    .runOnSendingThread(Function.identity())
                    .subscribeAsCompletionStage()
                    .get());
        } catch (InterruptedException e) {
            LOG.debug("closed addresses: stopped while no producer was open", e);
        } catch (ExecutionException e) {
            LOG.error("closed addresses are not announced, as their producer cannot be opened", e);
        }
    }

    private void publishUntilStopped(Producer<String, byte[]> producer) {
        try {
            while (!stopping) {
                publish(producer, queue.take());
            }
        } catch (InterruptedException e) {
            LOG.debug("closed addresses: stopped", e);
        }
        List<Announcement> rest = new ArrayList<>();
        queue.drainTo(rest, TAKEN_AT_ONCE);
        rest.forEach(announcement -> publish(producer, announcement));
    }

    private void publish(Producer<String, byte[]> producer, Announcement announcement) {
        AddressClosed closed = announcement.closed();
        ProducerRecord<String, byte[]> message =
                new ProducerRecord<>(Topic.ADDRESS_CLOSED.topicName(), closed.addressId(), EventCodec.encode(closed));
        RecordTrace.put(message.headers(), announcement.trace());
        try {
            var _ = producer.send(message, (metadata, failure) -> {
                if (failure == null) {
                    published.increment();
                } else {
                    notPublished(announcement, failure);
                }
            });
        } catch (KafkaException e) {
            notPublished(announcement, e);
        }
    }

    private void notPublished(Announcement announcement, Exception failure) {
        dropped.increment();
        try (TraceScope _ = TraceScope.open(announcement.trace())) {
            LOG.debugf(
                    failure,
                    "closed address not announced addressId=%s",
                    announcement.closed().addressId());
        }
    }
}
