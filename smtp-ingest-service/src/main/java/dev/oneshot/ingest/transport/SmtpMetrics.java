package dev.oneshot.ingest.transport;

import dev.oneshot.ingest.smtp.DeliveryOutcome;
import dev.oneshot.ingest.smtp.MailTransaction;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What the SMTP server counts. */
@Singleton
final class SmtpMetrics {

    private final Map<DeliveryOutcome, Timer> deliveries = new EnumMap<>(DeliveryOutcome.class);
    private final DistributionSummary messageBytes;
    private final Counter recipients;
    private final Counter sessions;

    SmtpMetrics(MeterRegistry registry, ConnectionCounts connections, MessageMemory memory) {
        for (DeliveryOutcome outcome : DeliveryOutcome.values()) {
            deliveries.put(
                    outcome,
                    Timer.builder("oneshot.ingest.delivery")
                            .description("From the end of the data to the outcome, by outcome")
                            .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                            .publishPercentileHistogram()
                            .register(registry));
        }
        messageBytes = DistributionSummary.builder("oneshot.ingest.message.size")
                .description("Messages stored, with our trace fields")
                .baseUnit("bytes")
                .register(registry);
        recipients = Counter.builder("oneshot.ingest.mail.stored")
                .description("Mails stored: one a recipient")
                .register(registry);
        sessions = Counter.builder("oneshot.ingest.sessions")
                .description("Sessions begun")
                .register(registry);
        registry.gauge("oneshot.ingest.connections", connections, ConnectionCounts::all);
        registry.gauge("oneshot.ingest.memory.reserved", memory, MessageMemory::reserved);
    }

    void sessionBegun() {
        sessions.increment();
    }

    void delivered(MailTransaction transaction, DeliveryOutcome outcome, long nanos) {
        Timer timer = deliveries.get(outcome);
        if (timer != null) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
        if (outcome == DeliveryOutcome.STORED) {
            messageBytes.record(transaction.length());
            recipients.increment(transaction.envelope().recipients().size());
        }
    }
}
