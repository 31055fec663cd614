package dev.oneshot.mailer.sending;

import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.mailer.relay.RelayResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Supplier;

/** Metrics of mails to send. Safe for use by many threads. */
@Singleton
class DeliveryMetrics {

    private final MeterRegistry registry;
    private final Counter delayed;
    private final MeterProvider<Timer> ages;
    private final MeterProvider<Timer> attempts;

    DeliveryMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.delayed = Counter.builder("oneshot.mailer.delayed")
                .description("Failed attempts to be repeated")
                .register(registry);
        this.ages = Timer.builder("oneshot.mailer.settled")
                .description("Settled requests, and the time since they were made")
                .publishPercentileHistogram()
                .withRegistry(registry);
        this.attempts = Timer.builder("oneshot.mailer.attempts")
                .description("Attempts at the relay, and how long they took")
                .withRegistry(registry);
        for (Outcome outcome : Outcome.values()) {
            age(outcome);
        }
    }

    /** Counts a result, with the time since the request. */
    void settled(Outcome outcome, Instant requestedAt, Instant settledAt) {
        Duration age = Duration.between(requestedAt, settledAt);
        age(outcome).record(age.isNegative() ? Duration.ZERO : age);
    }

    private Timer age(Outcome outcome) {
        return ages.withTag("outcome", outcome.name().toLowerCase(Locale.ROOT));
    }

    void delayed() {
        delayed.increment();
    }

    RelayResult timed(Supplier<RelayResult> attempt) {
        Timer.Sample sample = Timer.start(registry);
        RelayResult result = attempt.get();
        sample.stop(attempts.withTag("result", result.getClass().getSimpleName().toLowerCase(Locale.ROOT)));
        return result;
    }
}
