package dev.oneshot.ingest.net;

import dev.oneshot.ingest.RefusalLog;
import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.ingest.smtp.session.SessionObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jboss.logging.Logger;

/** The metrics of the SMTP server, and the log of refusals for memory. */
@Singleton
final class SmtpMetrics implements SessionObserver {

    private static final Logger LOG = Logger.getLogger(SmtpMetrics.class);
    private static final Duration[] DELIVERY_BUCKETS = LongStream.of(
                    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterProvider<Timer> deliveries;
    private final Counter mails;
    private final Counter ownResultsRemoved;
    private final MessageMemory memory;
    private final RefusalLog withoutMemory = new RefusalLog();
    private final MeterProvider<Counter> refusals;

    SmtpMetrics(MeterRegistry registry, ClientNetworks clients, MessageMemory memory) {
        this.refusals = Counter.builder("oneshot.ingest.refusals")
                .description("Replies of 400 and above, by code and enhanced status")
                .withRegistry(registry);
        this.memory = memory;
        deliveries = Timer.builder("oneshot.ingest.delivery")
                .description("Time from the end of DATA to the outcome, by outcome")
                .serviceLevelObjectives(DELIVERY_BUCKETS)
                .withRegistry(registry);
        List.of(DeliveryOutcome.values()).forEach(this::delivery);
        mails = Counter.builder("oneshot.ingest.mails.stored")
                .description("Recipients of messages that got 250")
                .register(registry);
        ownResultsRemoved = Counter.builder("oneshot.ingest.own.results.removed")
                .description("Authentication-Results fields removed that came with our own authserv-id")
                .register(registry);
        for (ClientNetworks.Limit limit : ClientNetworks.Limit.values()) {
            FunctionCounter.builder("oneshot.ingest.client.refusals", clients, all -> all.refusals(limit))
                    .description("Refusals because of the limits of a client network, by limit")
                    .tag("limit", limit.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        Gauge.builder("oneshot.ingest.connections", clients, ClientNetworks::connections)
                .description("Connections open")
                .register(registry);
        Gauge.builder("oneshot.ingest.memory.reserved", memory, MessageMemory::reserved)
                .description("Bytes of messages in memory, of all sessions")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("oneshot.ingest.memory.waiting", memory, MessageMemory::waiting)
                .description("Sessions that wait for memory for their message")
                .register(registry);
        Gauge.builder("oneshot.ingest.memory.max", memory, MessageMemory::max)
                .description("The memory for messages in bytes; when it is used up, messages wait")
                .baseUnit("bytes")
                .register(registry);
    }

    /** A message lost its memory, or waited for memory without success. */
    void refusedForMemory() {
        withoutMemory.log(count -> LOG.warnf(
                "mail refused for memory code=452 messages=%d exhausted=oneshot.smtp.memory-bytes-max reserved=%d max=%d",
                count, memory.reserved(), memory.max()));
    }

    private Timer delivery(DeliveryOutcome outcome) {
        return deliveries.withTag("outcome", outcome.name().toLowerCase(Locale.ROOT));
    }

    void delivered(MailTransaction transaction, DeliveryOutcome outcome, long nanos) {
        delivery(outcome).record(nanos, TimeUnit.NANOSECONDS);
        if (outcome == DeliveryOutcome.STORED) {
            mails.increment(transaction.envelope().recipients().size());
        }
    }

    @Override
    public void ownResultsRemoved(int fields) {
        ownResultsRemoved.increment(fields);
    }

    @Override
    public void refused(int code, String status) {
        refusals.withTags("code", Integer.toString(code), "status", status).increment();
    }
}
