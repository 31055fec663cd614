package dev.oneshot.api.sending;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicReference;

/** How the outbox is doing. Safe for use by many threads. */
@ApplicationScoped
class OutboxMetrics {

    private final Counter published;
    private final Counter failures;
    private final AtomicReference<Outbox.State> state = new AtomicReference<>(new Outbox.State(0, 0));

    OutboxMetrics(MeterRegistry registry) {
        this.published = Counter.builder("oneshot.outbox.published")
                .description("Entries that Kafka has acknowledged")
                .register(registry);
        this.failures = Counter.builder("oneshot.outbox.failures")
                .description("Passes over the outbox that failed and are repeated")
                .register(registry);
        Gauge.builder("oneshot.outbox.depth", state, last -> last.get().depth())
                .description("Entries that wait to be published")
                .register(registry);
        Gauge.builder("oneshot.outbox.age", state, last -> last.get().oldestSeconds())
                .description("How long the oldest of them waits")
                .baseUnit("seconds")
                .register(registry);
    }

    void waiting(Outbox.State now) {
        state.set(now);
    }

    void published(int count) {
        published.increment(count);
    }

    void failed() {
        failures.increment();
    }
}
