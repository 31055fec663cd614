package dev.oneshot.api.sending;

import dev.oneshot.api.background.BackgroundWork;
import dev.oneshot.api.database.DatabaseFaultException;
import dev.oneshot.api.kafka.DeadLetters;
import dev.oneshot.api.kafka.DeadLetters.DeadLetter;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.LeaseExtended;
import dev.oneshot.contracts.event.MailDeferred;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.SendResult;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordSpans;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.quarkus.runtime.Startup;
import io.smallrye.reactive.messaging.annotations.Blocking;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.jboss.logging.Logger;

/**
 * Records the results of attempts, a batch in a transaction: settled requests leave the outbox, deferred ones become due later,
 * extended leases last longer. Recording one twice changes nothing.
 */
@Startup
@ApplicationScoped
class SettledConsumer {

    /** The consumer group of {@code mail.settled}, as {@code application.properties} has it. */
    static final String GROUP = "oneshot-api-results";

    private static final Logger LOG = Logger.getLogger(SettledConsumer.class);
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);

    private final Outbox outbox;
    private final DeadLetters deadLetters;
    private final RecordSpans spans;
    private final BackgroundWork work;
    private final MeterRegistry registry;
    private final Counter deadLettered;

    SettledConsumer(
            Outbox outbox, DeadLetters deadLetters, RecordSpans spans, BackgroundWork work, MeterRegistry registry) {
        this.outbox = outbox;
        this.deadLetters = deadLetters;
        this.spans = spans;
        this.work = work;
        this.registry = registry;
        this.deadLettered = registry.counter("oneshot.sends.dead.lettered");
        // Each counter begins at 0, so that alerts see the first increase.
        for (Outcome outcome : Outcome.values()) {
            Settlements.settled(registry, outcome);
        }
    }

    /** @param trace has the span of the work on it */
    record Result(ConsumerRecord<String, byte[]> origin, SendResult event, Context trace) {}

    /**
     * Records a batch. Tries until it succeeds, as the offsets are committed when this returns.
     *
     * @throws IllegalStateException if the service stops before that: another replica reads the batch again
     */
    @Incoming("mail-settled")
    @Blocking
    void take(ConsumerRecords<String, byte[]> records) throws InterruptedException {
        do {
            List<Result> results = new ArrayList<>();
            try {
                addResults(records, results);
                record(results);
                results.forEach(result -> RecordSpans.end(result.trace(), null));
                return;
            } catch (RuntimeException | Error e) {
                results.forEach(result -> RecordSpans.end(result.trace(), e));
                LOG.warnf("results not recorded, retrying count=%d: %s", records.count(), e.toString());
            }
            work.pause(FAILURE_PAUSE);
        } while (!work.isStopping());
        throw new IllegalStateException("stopped before results were recorded count=" + records.count());
    }

    private void addResults(ConsumerRecords<String, byte[]> records, List<Result> results) {
        for (ConsumerRecord<String, byte[]> record : records) {
            if (SettledFence.isFence(record)) {
                continue;
            }
            Context trace = spans.process(record);
            try (Scope _ = trace.makeCurrent()) {
                SendResult event = EventCodec.decodeSendResult(record.value());
                LOG.debugf("result taken %s", event);
                results.add(new Result(record, event, trace));
            } catch (EventFormatException e) {
                RecordSpans.end(trace, e);
                deadLetter(record, String.valueOf(e.getMessage()));
            }
        }
    }

    /** If the data of a batch is invalid, records each event alone and dead-letters those that cannot be stored. */
    private void record(List<Result> results) {
        if (results.isEmpty()) {
            return;
        }
        // The statements of a batch are in the trace of its first record.
        try (Scope _ = results.getFirst().trace().makeCurrent()) {
            Collection<MailSettled> settled = store(results);
            settled.forEach(
                    event -> Settlements.settled(registry, event.outcome()).increment());
        } catch (DatabaseFaultException e) {
            if (!e.isAboutData()) {
                throw e;
            }
            if (results.size() == 1) {
                deadLetter(results.getFirst().origin(), "not storable: " + e.getMessage());
            } else {
                results.forEach(result -> record(List.of(result)));
            }
        }
    }

    @Transactional
    Collection<MailSettled> store(List<Result> results) {
        Map<String, MailSettled> settled = new LinkedHashMap<>();
        List<MailDeferred> deferred = new ArrayList<>();
        List<LeaseExtended> extended = new ArrayList<>();
        for (Result result : results) {
            switch (result.event()) {
                case MailSettled event -> settled.put(event.addressId(), event);
                case MailDeferred event -> deferred.add(event);
                case LeaseExtended event -> extended.add(event);
            }
        }
        // A deferral names the last extension of its lease.
        outbox.extend(extended);
        outbox.defer(deferred);
        outbox.settle(settled.values());
        return settled.values();
    }

    private void deadLetter(ConsumerRecord<String, byte[]> record, String reason) {
        deadLetters.write(Topic.MAIL_SETTLED_DLQ, List.of(new DeadLetter(record, reason)));
        deadLettered.increment();
    }
}
