package dev.oneshot.api.address;

import dev.oneshot.api.kafka.KafkaClients;
import dev.oneshot.api.kafka.KafkaConfig;
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
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jboss.logging.Logger;

/**
 * Tells the ingest nodes which addresses take no more mail. Best effort, by contract: a lost announcement only makes a
 * refusal later. So nobody ever waits for it: a bounded queue, one thread, and what does not fit or cannot be sent is
 * counted and dropped.
 */
@ApplicationScoped
public class ClosedAddresses {

    private static final Logger LOG = Logger.getLogger(ClosedAddresses.class);
    private static final int QUEUE_MAX = 50_000;
    private static final int TAKEN_AT_ONCE = 500;
    private static final Duration CLOSE_TIME = Duration.ofSeconds(2);
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);

    private final BlockingQueue<Announcement> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final KafkaClients clients;
    private final KafkaConfig config;
    private final Counter published;
    private final Counter dropped;
    private final Thread thread;
    private volatile boolean stopping;

    ClosedAddresses(KafkaClients clients, KafkaConfig config, MeterRegistry metrics) {
        this.clients = clients;
        this.config = config;
        this.published = metrics.counter("oneshot.closed.published");
        this.dropped = metrics.counter("oneshot.closed.dropped");
        metrics.gauge("oneshot.closed.queued", queue, BlockingQueue::size);
        this.thread = Thread.ofPlatform().name("closed-addresses").daemon().unstarted(this::run);
    }

    void start(@Observes StartupEvent event) {
        thread.start();
    }

    /** After the consumers, which announce what they stored. */
    void stop(@Observes @Priority(Interceptor.Priority.APPLICATION + 1000) ShutdownEvent event)
            throws InterruptedException {
        stopping = true;
        thread.interrupt();
        thread.join(CLOSE_TIME.plusSeconds(1));
    }

    private record Announcement(AddressClosed closed, TraceContext trace) {}

    /** Announces this some time soon, as part of the trace of its caller; never waits. */
    public void announce(AddressClosed closed) {
        if (!queue.offer(new Announcement(closed, TraceScope.current()))) {
            dropped.increment();
        }
    }

    private void run() {
        try {
            while (!stopping) {
                publishUntilStopped();
            }
        } catch (InterruptedException e) {
            LOG.debug("closed addresses: told to stop while there was no producer", e);
        }
    }

    private void publishUntilStopped() throws InterruptedException {
        try (KafkaProducer<String, byte[]> producer = clients.producer("oneshot-api-closed", settings())) {
            try {
                while (!stopping) {
                    publish(producer, queue.take());
                }
            } catch (InterruptedException e) {
                LOG.debug("closed addresses: told to stop", e);
            }
            List<Announcement> rest = new ArrayList<>();
            queue.drainTo(rest, TAKEN_AT_ONCE);
            rest.forEach(announcement -> publish(producer, announcement));
            producer.close(CLOSE_TIME);
        } catch (KafkaException e) {
            // As long as no broker's name can be resolved there is no producer.
            LOG.warnf("closed addresses not announced yet cause=%s", e);
            Thread.sleep(FAILURE_PAUSE);
        }
    }

    private Map<String, Object> settings() {
        return Map.of(ProducerConfig.BUFFER_MEMORY_CONFIG, config.closedBufferBytes());
    }

    private void publish(KafkaProducer<String, byte[]> producer, Announcement announcement) {
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
