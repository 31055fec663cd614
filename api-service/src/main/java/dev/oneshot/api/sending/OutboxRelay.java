package dev.oneshot.api.sending;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.kafka.KafkaClients;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceScope;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jboss.logging.Logger;

/**
 * Publishes the outbox: locks entries, has Kafka acknowledge them, deletes them and commits. Any number of replicas may
 * do so. One that dies between the acknowledgement and the commit has them published twice, which the mailer notices.
 */
@ApplicationScoped
class OutboxRelay {

    private static final Logger LOG = Logger.getLogger(OutboxRelay.class);
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);

    private final Database database;
    private final KafkaClients clients;
    private final SendingConfig config;
    private final OutboxSignal signal;
    private final OutboxMetrics metrics;
    private final InstantSource clock;
    private final Thread thread = Thread.ofPlatform().name("outbox").daemon().unstarted(this::run);
    private volatile boolean stopping;

    OutboxRelay(
            Database database,
            KafkaClients clients,
            SendingConfig config,
            OutboxSignal signal,
            OutboxMetrics metrics,
            InstantSource clock) {
        if (config.outboxBatch() < 1) {
            throw new IllegalArgumentException("oneshot.sending.outbox-batch must be at least 1");
        }
        if (!config.outboxInterval().isPositive()) {
            throw new IllegalArgumentException("oneshot.sending.outbox-interval must be positive");
        }
        this.database = database;
        this.clients = clients;
        this.config = config;
        this.signal = signal;
        this.metrics = metrics;
        this.clock = clock;
    }

    void start(@Observes StartupEvent event) {
        thread.start();
    }

    /** Before anybody is waited for. */
    void beginToStop(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) ShutdownEvent event) {
        stopping = true;
        signal.raise();
    }

    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        if (!clients.awaitEnd(thread)) {
            LOG.warn("outbox relay did not stop in time");
        }
    }

    private void run() {
        Map<String, Object> settings = Map.of(
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                Topic.RECORD_BYTES_MAX,
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                (long) Topic.RECORD_BYTES_MAX + config.outboxMemory().asLongValue());
        try {
            while (!stopping) {
                relayUntilStopped(settings);
            }
        } catch (InterruptedException e) {
            LOG.info("outbox relay interrupted");
            Thread.currentThread().interrupt();
        }
    }

    private void relayUntilStopped(Map<String, Object> settings) throws InterruptedException {
        try (KafkaProducer<String, byte[]> producer = clients.producer("oneshot-api-outbox", settings)) {
            while (!stopping) {
                pass(producer);
            }
        } catch (KafkaException e) {
            // As long as no broker's name can be resolved there is no producer.
            putOff(e);
            tidy();
        }
    }

    private void putOff(RuntimeException e) throws InterruptedException {
        LOG.warnf("outbox put off: %s", e.toString());
        metrics.failed();
        signal.await(FAILURE_PAUSE);
    }

    /** What does not need Kafka, and matters most while it is away. */
    private void tidy() throws InterruptedException {
        try {
            database.transaction(this::expire);
            metrics.waiting(database.statement(Outbox::state));
        } catch (RuntimeException e) {
            putOff(e);
        }
    }

    /** Goes on at once as long as there is something; else waits to be woken. */
    private void pass(KafkaProducer<String, byte[]> producer) throws InterruptedException {
        tidy();
        try {
            int published = database.transaction(connection -> publish(connection, producer));
            metrics.published(published);
            if (published == 0) {
                signal.await(config.outboxInterval());
            }
        } catch (RuntimeException e) {
            putOff(e);
        }
    }

    private int expire(Connection connection) throws SQLException {
        List<MailSettled> settled = Outbox.expire(connection, config.outboxBatch()).stream()
                .map(request -> Sending.unsent(request, Outcome.EXPIRED, clock.instant()))
                .toList();
        Settlements.record(connection, settled);
        return settled.size();
    }

    private int publish(Connection connection, KafkaProducer<String, byte[]> producer) throws SQLException {
        List<Outbox.Entry> entries = Outbox.lock(
                connection, config.outboxBatch(), config.outboxMemory().asLongValue());
        // Those that were locked here when their addresses were deleted could not be withdrawn.
        List<Outbox.Entry> withdrawn =
                entries.stream().filter(Outbox.Entry::isWithdrawn).toList();
        List<Outbox.Entry> wanted =
                entries.stream().filter(entry -> !entry.isWithdrawn()).toList();
        send(wanted, producer);
        wanted.forEach(OutboxRelay::published);
        Settlements.record(
                connection,
                withdrawn.stream()
                        .map(entry -> Sending.unsent(
                                new Outbox.Withdrawn(entry.addressId(), entry.requestedAt()),
                                Outcome.DELETED,
                                clock.instant()))
                        .toList());
        if (!entries.isEmpty()) {
            Outbox.remove(connection, entries);
        }
        return entries.size();
    }

    /** Waits for Kafka to have all of them, but no longer once it did not take one. */
    private static void send(List<Outbox.Entry> entries, KafkaProducer<String, byte[]> producer) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (Outbox.Entry entry : entries) {
            ProducerRecord<String, byte[]> record = new ProducerRecord<>(
                    entry.topic(), entry.addressId(), entry.value().array());
            RecordTrace.put(record.headers(), entry.trace());
            Future<RecordMetadata> one = producer.send(record);
            if (one.isDone()) {
                await(one);
            }
            sent.add(one);
        }
        sent.forEach(OutboxRelay::await);
    }

    private static void published(Outbox.Entry entry) {
        try (TraceScope _ = TraceScope.open(entry.trace())) {
            // A deletion by label may announce thousands of addresses.
            LOG.logf(
                    entry.topic().equals(Topic.MAIL_REQUESTED.topicName()) ? Logger.Level.INFO : Logger.Level.DEBUG,
                    "outbox published topic=%s addressId=%s bytes=%d",
                    entry.topic(),
                    entry.addressId(),
                    entry.value().length());
        }
    }

    private static void await(Future<RecordMetadata> sent) {
        try {
            sent.get();
        } catch (ExecutionException e) {
            throw new KafkaException("Kafka did not take an entry of the outbox", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while publishing the outbox", e);
        }
    }
}
