package dev.oneshot.mailer.sending;

import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.mailer.relay.RelayResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Supplier;

/** What becomes of requests, in numbers. Safe for use by many threads. */
@Singleton
class DeliveryMetrics {

    private final MeterRegistry registry;
    private final Counter delayed;

    DeliveryMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.delayed = Counter.builder("oneshot.mailer.delayed")
                .description("Attempts that failed and will be repeated")
                .register(registry);
        for (Outcome outcome : Outcome.values()) {
            age(outcome);
        }
    }

    /** Counts an end, with the time it took since the request. */
    void settled(Outcome outcome, Instant requestedAt, Instant settledAt) {
        Duration age = Duration.between(requestedAt, settledAt);
        age(outcome).record(age.isNegative() ? Duration.ZERO : age);
    }

    private Timer age(Outcome outcome) {
        return Timer.builder("oneshot.mailer.settled")
                .description("Requests that ended, and how long after they were made")
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .publishPercentileHistogram()
                .register(registry);
    }

    void delayed() {
        delayed.increment();
    }

    RelayResult timed(Supplier<RelayResult> attempt) {
        Timer.Sample sample = Timer.start(registry);
        RelayResult result = attempt.get();
        sample.stop(Timer.builder("oneshot.mailer.attempts")
                .description("Attempts at the relay, and how long they took")
                .tag("result", result.getClass().getSimpleName().toLowerCase(Locale.ROOT))
                .register(registry));
        return result;
    }
}
