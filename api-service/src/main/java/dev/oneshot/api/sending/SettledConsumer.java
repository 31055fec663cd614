package dev.oneshot.api.sending;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.database.DatabaseFaultException;
import dev.oneshot.api.kafka.KafkaClients;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Outcome;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jboss.logging.Logger;

/** Records how requests ended, a batch of events in a transaction. Recording one twice changes nothing. */
@ApplicationScoped
class SettledConsumer {

    private static final Logger LOG = Logger.getLogger(SettledConsumer.class);
    private static final Duration POLL_TIME = Duration.ofMillis(500);
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);

    private final Database database;
    private final KafkaClients clients;
    private final MeterRegistry registry;
    private final Counter deadLettered;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("mail-settled").daemon().unstarted(this::run);

    SettledConsumer(Database database, KafkaClients clients, MeterRegistry registry) {
        this.database = database;
        this.clients = clients;
        this.registry = registry;
        this.deadLettered = registry.counter("oneshot.sends.dead.lettered");
        // An alert on the first of a kind needs the zero before it.
        for (Outcome outcome : Outcome.values()) {
            settled(outcome);
        }
    }

    private Counter settled(Outcome outcome) {
        return Counter.builder("oneshot.sends.settled")
                .description("Requests to send whose end was recorded")
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    void start(@Observes StartupEvent event) {
        thread.start();
    }

    /** Before anybody is waited for. */
    void beginToStop(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) ShutdownEvent event) {
        stopping.countDown();
    }

    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        if (!clients.awaitEnd(thread)) {
            LOG.warn("the consumer of mail.settled did not stop in time");
        }
    }

    private void run() {
        try {
            while (stopping.getCount() > 0) {
                consumeUntilBroken();
            }
        } catch (InterruptedException e) {
            LOG.info("the consumer of mail.settled was interrupted");
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever fails, nothing is committed to Kafka that is not recorded: a new consumer begins where this one was. */
    private void consumeUntilBroken() throws InterruptedException {
        try (KafkaConsumer<String, byte[]> consumer = clients.consumer("oneshot-api-settled", settings())) {
            consumer.subscribe(List.of(Topic.MAIL_SETTLED.topicName()));
            while (stopping.getCount() > 0) {
                ConsumerRecords<String, byte[]> records = consumer.poll(POLL_TIME);
                if (!records.isEmpty()) {
                    take(records);
                    consumer.commitSync();
                }
            }
        } catch (RuntimeException e) {
            LOG.warnf("settlements put off: %s", e.toString());
            if (stopping.await(FAILURE_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("stopping");
            }
        }
    }

    private static Map<String, Object> settings() {
        return Map.of(
                ConsumerConfig.GROUP_ID_CONFIG, "oneshot-api-settled",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                // A killed replica's partitions wait this long for another one.
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    }

    private record Settlement(ConsumerRecord<String, byte[]> origin, TraceContext trace, MailSettled event) {}

    private void take(ConsumerRecords<String, byte[]> records) throws InterruptedException {
        List<Settlement> settlements = new ArrayList<>();
        for (ConsumerRecord<String, byte[]> record : records) {
            TraceContext trace = RecordTrace.continued(record.headers());
            try (TraceScope _ = TraceScope.open(trace)) {
                MailSettled event = EventCodec.decodeMailSettled(record.value() == null ? new byte[0] : record.value());
                LOG.debugf("settlement taken addressId=%s outcome=%s", event.addressId(), event.outcome());
                settlements.add(new Settlement(record, trace, event));
            } catch (EventFormatException e) {
                deadLetter(record, trace, String.valueOf(e.getMessage()));
            }
        }
        record(settlements);
    }

    /** If one of them is to blame for a failure: halves until it is alone, and sets it aside. */
    private void record(List<Settlement> settlements) throws InterruptedException {
        List<MailSettled> events = settlements.stream().map(Settlement::event).toList();
        try {
            int recorded = database.transaction(connection -> {
                Settlements.record(connection, events);
                return events.size();
            });
            LOG.debugf("settlements recorded count=%d", recorded);
        } catch (DatabaseFaultException e) {
            if (!e.isAboutData()) {
                throw e;
            }
            isolate(settlements, e);
            return;
        }
        events.forEach(event -> settled(event.outcome()).increment());
    }

    private void isolate(List<Settlement> settlements, DatabaseFaultException failure) throws InterruptedException {
        if (settlements.size() == 1) {
            Settlement poison = settlements.getFirst();
            deadLetter(poison.origin(), poison.trace(), "not storable: " + failure.getMessage());
            return;
        }
        int half = settlements.size() / 2;
        record(settlements.subList(0, half));
        record(settlements.subList(half, settlements.size()));
    }

    private void deadLetter(ConsumerRecord<String, byte[]> record, TraceContext trace, String reason)
            throws InterruptedException {
        ProducerRecord<String, byte[]> letter =
                new ProducerRecord<>(Topic.MAIL_SETTLED_DLQ.topicName(), record.key(), record.value());
        letter.headers().add(Topic.DEAD_LETTER_REASON_HEADER, reason.getBytes(StandardCharsets.UTF_8));
        RecordTrace.put(letter.headers(), trace);
        try (KafkaProducer<String, byte[]> producer = clients.producer("oneshot-api-settled-dlq", Map.of())) {
            producer.send(letter).get();
        } catch (ExecutionException e) {
            throw new KafkaException("a dead letter could not be written", e);
        }
        deadLettered.increment();
        try (TraceScope _ = TraceScope.open(trace)) {
            LOG.errorf(
                    "settlement dead-lettered partition=%d offset=%d: %s", record.partition(), record.offset(), reason);
        }
    }
}
