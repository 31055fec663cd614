package dev.oneshot.api.inbox;

import dev.oneshot.api.kafka.KafkaClients;
import dev.oneshot.contracts.event.Topic;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.Producer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The consumers of {@code mail.inbound} in this process, each in a thread of its own. */
@ApplicationScoped
class InboundConsumers {

    private static final Logger LOG = Logger.getLogger(InboundConsumers.class);
    private static final int CONSUMERS_MAX = 64;

    private final KafkaClients clients;
    private final InboundBatch batches;
    private final InboxMetrics metrics;
    private final InboxConfig config;
    private final List<InboundConsumer> consumers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private @Nullable Admin admin;
    private @Nullable Producer<String, byte[]> producer;

    InboundConsumers(KafkaClients clients, InboundBatch batches, InboxMetrics metrics, InboxConfig config) {
        require(config.consumers() >= 0 && config.consumers() <= CONSUMERS_MAX, "consumers", "0 to " + CONSUMERS_MAX);
        require(config.batchMails() >= 1, "batch-mails", "at least 1");
        long fetchBytes = config.fetchMax().asLongValue();
        require(
                !config.replayWindow().isNegative()
                        && config.replayWindow().compareTo(Topic.MAIL_INBOUND.retention()) <= 0,
                "replay-window",
                "0 to " + Topic.MAIL_INBOUND.retention());
        require(fetchBytes >= 1 && fetchBytes <= Topic.RECORD_BYTES_MAX, "fetch-max", "1 to " + Topic.RECORD_BYTES_MAX);
        this.clients = clients;
        this.batches = batches;
        this.metrics = metrics;
        this.config = config;
    }

    void start(@Observes StartupEvent event) {
        if (config.consumers() == 0) {
            return;
        }
        for (int i = 0; i < config.consumers(); i++) {
            String name = "oneshot-api-inbound-" + i;
            InboundConsumer consumer = new InboundConsumer(
                    () -> open(name),
                    batches,
                    metrics,
                    new Pauses(config.pauseMin(), config.pauseMax()),
                    new ReplayWindow(
                            this::admin,
                            this::producer,
                            config.replayWindow(),
                            Topic.MAIL_INBOUND.segmentSpan(),
                            InstantSource.system()),
                    metrics.backlog(Integer.toString(i)));
            consumers.add(consumer);
            threads.add(Thread.ofPlatform().name(name).daemon().start(consumer));
        }
    }

    /**
     * One for all consumers, opened when it is first needed: by then there are brokers, while at the start not even their names
     * may be known.
     */
    private synchronized Admin admin() {
        Admin opened = admin == null ? clients.admin("oneshot-api-inbound-admin") : admin;
        admin = opened;
        return opened;
    }

    /** As {@link #admin()}. */
    private synchronized Producer<String, byte[]> producer() {
        Producer<String, byte[]> opened =
                producer == null ? clients.producer("oneshot-api-inbound-empty", Map.of()) : producer;
        producer = opened;
        return opened;
    }

    /** Before anybody is waited for. */
    void beginToStop(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) ShutdownEvent event) {
        consumers.forEach(InboundConsumer::stop);
    }

    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        for (Thread thread : threads) {
            if (!clients.awaitEnd(thread)) {
                LOG.warnf("inbound consumer did not stop in time thread=%s", thread.getName());
            }
        }
        close();
    }

    private synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
    }

    private Consumer<String, byte[]> open(String name) {
        int fetchBytes = (int) config.fetchMax().asLongValue();
        return clients.consumer(
                name,
                Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        config.group(),
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        config.batchMails(),
                        ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
                        1,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        fetchBytes,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        fetchBytes,
                        // A killed replica's partitions wait this long for another one.
                        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                        10_000,
                        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                        CooperativeStickyAssignor.class.getName()));
    }

    private static void require(boolean holds, String key, String bound) {
        if (!holds) {
            throw new IllegalArgumentException("oneshot.inbox." + key + " must be " + bound);
        }
    }
}
