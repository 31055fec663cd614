package dev.oneshot.api.inbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** What becomes of the mail that arrives. */
@Startup
@ApplicationScoped
class InboxMetrics {

    private final MeterRegistry registry;
    private final Counter received;
    private final Counter dropped;
    private final Counter deadLettered;
    private final Counter postponed;
    private final Timer lag;
    private final InstantSource clock;

    InboxMetrics(MeterRegistry registry, InstantSource clock) {
        this.registry = registry;
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
        this.postponed = Counter.builder("oneshot.inbox.postponed")
                .description("Batches put off because the database or Kafka was away")
                .register(registry);
        this.lag = Timer.builder("oneshot.inbox.lag")
                .description("From the end of the data at the ingest node to the commit")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(1))
                .register(registry);
    }

    /** Where a consumer keeps how many records of its partitions it has not got to. */
    AtomicLong backlog(String consumer) {
        AtomicLong records = new AtomicLong();
        Gauge.builder("oneshot.inbox.backlog", records, AtomicLong::get)
                .description("Records of mail.inbound behind which a consumer is")
                .tag("consumer", consumer)
                .register(registry);
        return records;
    }

    void received(Instant receivedAt) {
        received.increment();
        Duration since = Duration.between(receivedAt, clock.instant());
        lag.record(since.isNegative() ? Duration.ZERO : since);
    }

    void dropped(int mails) {
        dropped.increment(mails);
    }

    void deadLettered(int records) {
        deadLettered.increment(records);
    }

    void postponed() {
        postponed.increment();
    }
}
