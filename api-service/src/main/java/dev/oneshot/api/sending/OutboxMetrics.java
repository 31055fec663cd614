package dev.oneshot.api.sending;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicReference;

/** The state of the outbox. Safe for use by many threads. */
@Singleton
class OutboxMetrics {

    final Counter published;
    final Counter failures;
    final Counter released;
    private final AtomicReference<Outbox.State> state = new AtomicReference<>(new Outbox.State(0, 0, 0, 0));

    OutboxMetrics(MeterRegistry registry) {
        this.published = Counter.builder("oneshot.outbox.published")
                .description("Requests that Kafka has acknowledged")
                .register(registry);
        this.failures = Counter.builder("oneshot.outbox.failures")
                .description("Passes over the outbox that failed and are repeated")
                .register(registry);
        this.released = Counter.builder("oneshot.outbox.released")
                .description("Leases that ended without a result, so that the mail is attempted again")
                .register(registry);
        Gauge.builder("oneshot.outbox.depth", state, last -> last.get().due())
                .description("Requests that are due and wait to be published")
                .register(registry);
        Gauge.builder("oneshot.outbox.age", state, last -> last.get().oldestSeconds())
                .description("How long the oldest of them has been due")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("oneshot.outbox.leased", state, last -> last.get().leased())
                .description("Requests that are with the mailers")
                .register(registry);
        Gauge.builder("oneshot.outbox.deferred", state, last -> last.get().deferred())
                .description("Requests that wait for their next attempt")
                .register(registry);
    }

    void waiting(Outbox.State now) {
        state.set(now);
    }
}
