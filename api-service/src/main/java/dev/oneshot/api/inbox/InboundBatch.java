package dev.oneshot.api.inbox;

import dev.oneshot.api.address.ClosedAddresses;
import dev.oneshot.api.database.DatabaseFaultException;
import dev.oneshot.api.database.DatabaseUnavailableException;
import dev.oneshot.api.kafka.DeadLetters;
import dev.oneshot.api.kafka.DeadLetters.DeadLetter;
import dev.oneshot.api.sending.Outbox;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.PostmasterMail;
import dev.oneshot.contracts.event.SendBounced;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceScope;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Handles a batch of records. When it returns, each of them is stored, passed on, dropped because its address takes no
 * (further) mail, or on the dead letter topic. When it throws, the caller handles the whole batch again, which changes
 * nothing that was stored.
 */
@Startup
@ApplicationScoped
class InboundBatch {

    private static final Logger LOG = Logger.getLogger(InboundBatch.class);

    private final MailIntake intake;
    private final Outbox outbox;
    private final DeadLetters deadLetters;
    private final ClosedAddresses closed;
    private final InstantSource clock;
    private final Counter received;
    private final Counter dropped;
    private final Counter deadLettered;
    private final Timer lag;

    InboundBatch(
            MailIntake intake,
            Outbox outbox,
            DeadLetters deadLetters,
            ClosedAddresses closed,
            InstantSource clock,
            MeterRegistry registry) {
        this.intake = intake;
        this.outbox = outbox;
        this.deadLetters = deadLetters;
        this.closed = closed;
        this.clock = clock;
        this.received = Counter.builder("oneshot.inbox.received")
                .description("Mails that became readable")
                .register(registry);
        this.dropped = Counter.builder("oneshot.inbox.dropped")
                .description("Mails whose address had one already, had expired or was gone")
                .register(registry);
        this.deadLettered = Counter.builder("oneshot.inbox.dead.lettered")
                .description("Records that could not be handled and were set aside")
                .register(registry);
        this.lag = Timer.builder("oneshot.inbox.lag")
                .description("From the end of the data at the ingest node to the commit")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(1))
                .register(registry);
    }

    void handle(Iterable<ConsumerRecord<String, byte[]>> records) {
        List<DeadLetter> dead = new ArrayList<>();
        store(mails(records, dead), dead);
        if (!dead.isEmpty()) {
            deadLetters.write(Topic.MAIL_INBOUND_DLQ, dead);
            deadLettered.increment(dead.size());
        }
    }

    /** The first record for an address in offset order is its mail; the database would reject a later one. */
    private List<ReceivedMail> mails(Iterable<ConsumerRecord<String, byte[]>> records, List<DeadLetter> dead) {
        Map<String, ReceivedMail> mails = new LinkedHashMap<>();
        for (ConsumerRecord<String, byte[]> origin : records) {
            if (ReplayWindow.isEmpty(origin)) {
                continue;
            }
            try {
                switch (EventCodec.decodeInbound(origin.value())) {
                    case MailInbound event -> {
                        ReceivedMail mail = ReceivedMail.checked(origin, event);
                        if (mails.putIfAbsent(mail.addressId(), mail) != null) {
                            dropped.increment();
                        }
                    }
                    case PostmasterMail mail ->
                        passOn(origin, dead, () -> outbox.addOnce(mail.mailId(), origin.value(), mail.expiresAt()));
                    case SendBounced bounce -> passOn(origin, dead, () -> outbox.bounced(bounce));
                }
            } catch (EventFormatException e) {
                dead.add(new DeadLetter(origin, "not an event of this topic: " + e.getMessage()));
            }
        }
        return List.copyOf(mails.values());
    }

    /** Passes a postmaster mail or a bounce to the outbox. A repetition changes nothing. */
    private static void passOn(ConsumerRecord<String, byte[]> origin, List<DeadLetter> dead, Runnable transaction) {
        try (TraceScope _ = TraceScope.open(RecordTrace.continued(origin.headers()))) {
            transaction.run();
            LOG.debugf("mail passed on id=%s", origin.key());
        } catch (RuntimeException e) {
            if (!isAboutRecord(e)) {
                throw e;
            }
            dead.add(new DeadLetter(origin, "not storable: " + e.getMessage()));
        }
    }

    private static boolean isAboutRecord(RuntimeException e) {
        return !(e instanceof DatabaseUnavailableException)
                && (!(e instanceof DatabaseFaultException fault) || fault.isAboutData());
    }

    private void store(List<ReceivedMail> mails, List<DeadLetter> dead) {
        if (mails.isEmpty()) {
            return;
        }
        Map<String, Instant> stored;
        try {
            stored = storeWithPartitions(mails);
        } catch (RuntimeException e) {
            if (!isAboutRecord(e)) {
                throw e;
            }
            isolate(mails, dead, e);
            return;
        }
        for (ReceivedMail mail : mails) {
            try (TraceScope _ = TraceScope.open(mail.trace())) {
                account(mail, stored.get(mail.addressId()));
            }
        }
    }

    /** Halves the batch until the record at fault is alone, and dead-letters it. */
    private void isolate(List<ReceivedMail> mails, List<DeadLetter> dead, RuntimeException failure) {
        int half = mails.size() / 2;
        if (half > 0) {
            store(mails.subList(0, half), dead);
            store(mails.subList(half, mails.size()), dead);
            return;
        }
        ReceivedMail poison = mails.getFirst();
        try (TraceScope _ = TraceScope.open(poison.trace())) {
            LOG.errorf(failure, "mail not storable addressId=%s", poison.addressId());
        }
        dead.add(new DeadLetter(poison.origin(), "not storable: " + failure.getMessage()));
    }

    private Map<String, Instant> storeWithPartitions(List<ReceivedMail> mails) {
        try {
            return intake.store(mails);
        } catch (DatabaseFaultException e) {
            if (!e.isCheckViolation()) {
                throw e;
            }
            // Partitions are missing if expiry-service was down for long.
            intake.createPartitions();
            return intake.store(mails);
        }
    }

    private void account(ReceivedMail mail, @Nullable Instant until) {
        if (until == null) {
            dropped.increment();
            LOG.debugf("mail dropped, its address takes none addressId=%s", mail.addressId());
        } else {
            received.increment();
            Duration since = Duration.between(mail.event().receivedAt(), clock.instant());
            lag.record(since.isNegative() ? Duration.ZERO : since);
            closed.announce(new AddressClosed(mail.addressId(), AddressClosed.Reason.RECEIVED, until));
            LOG.debugf("mail stored addressId=%s bytes=%d", mail.addressId(), mail.sizeBytes());
        }
    }
}
