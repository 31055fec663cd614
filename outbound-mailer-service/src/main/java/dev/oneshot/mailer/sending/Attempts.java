package dev.oneshot.mailer.sending;

import dev.oneshot.contracts.event.MailDeferred;
import dev.oneshot.contracts.event.SendLease;
import dev.oneshot.contracts.event.SendResult;
import dev.oneshot.contracts.setting.ValidSetting;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.contracts.trace.TraceScope;
import dev.oneshot.mailer.relay.Relay;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jboss.logging.Logger;

/**
 * The attempts in flight, each on a virtual thread: bounded in number and memory, and drained at a stop. An attempt
 * depends only on its lease, so a rebalance does not end it. Safe for use by many threads.
 */
@Startup
@Singleton
class Attempts {

    private static final Logger LOG = Logger.getLogger(Attempts.class);

    /** Mails read ahead for each connection, so that no connection waits for Kafka. */
    private static final int READ_AHEAD = 4;

    private static final int CONCURRENCY_MAX = 1000;
    private static final int UNIT_BYTES = 1024;
    /** How much longer than the drain timeout a stop waits for Kafka to acknowledge results. */
    private static final Duration REPORT_TIME = Duration.ofSeconds(3);

    private final Delivery delivery;
    private final Leases leases;
    private final Results results;
    private final Relay relay;
    private final InstantSource clock;
    private final Duration drainTimeout;
    private final int memoryUnits;
    private final Semaphore memory;
    private final Semaphore places;
    private final Semaphore connections;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("mail-", 0).factory());
    private volatile boolean stopping;

    Attempts(
            MailerConfig config,
            Delivery delivery,
            Leases leases,
            Results results,
            Relay relay,
            InstantSource clock,
            MeterRegistry registry) {
        ValidSetting.between("oneshot.mailer.concurrency", config.concurrency(), 1, CONCURRENCY_MAX);
        this.delivery = delivery;
        this.leases = leases;
        this.results = results;
        this.relay = relay;
        this.clock = clock;
        this.drainTimeout = config.drainTimeout();
        this.memoryUnits = Math.clamp(config.memory().asLongValue() / UNIT_BYTES, 1, 1 << 30);
        this.memory = new Semaphore(memoryUnits);
        this.places = new Semaphore(config.concurrency() * READ_AHEAD);
        this.connections = new Semaphore(config.concurrency(), true);
        Gauge.builder("oneshot.mailer.in.flight", inFlight, AtomicInteger::get)
                .description(
                        "Mails that are being sent, or wait for a connection or for Kafka to acknowledge the result")
                .register(registry);
    }

    boolean isStopping() {
        return stopping;
    }

    /** Begins an attempt at a claimed mail, after waiting for capacity. */
    void begin(ConsumerRecord<String, byte[]> record) throws InterruptedException {
        int units = Math.clamp(record.serializedValueSize() / UNIT_BYTES, 1, memoryUnits);
        places.acquire();
        memory.acquire(units);
        inFlight.incrementAndGet();
        Runnable attempt = () -> {
            try {
                run(record);
            } finally {
                inFlight.decrementAndGet();
                memory.release(units);
                places.release();
            }
        };
        try {
            threads.execute(attempt);
        } catch (RejectedExecutionException e) {
            LOG.debug("stopping: the mail is given back", e);
            attempt.run();
        }
    }

    private void run(ConsumerRecord<String, byte[]> record) {
        TraceContext trace = RecordTrace.continued(record.headers());
        try (TraceScope _ = TraceScope.open(trace)) {
            SendLease lease = SendLease.of(record.headers()).orElse(null);
            if (lease == null) {
                LOG.warnf("record without a lease partition=%d offset=%d", record.partition(), record.offset());
                return;
            }
            Leases.Held held = leases.hold(record.key(), lease, trace);
            try {
                result(record, held).ifPresent(result -> results.report(result, trace));
            } finally {
                var _ = held.release();
            }
        } catch (RuntimeException | Error e) {
            // The mail is attempted again after its lease has ended.
            LOG.error("attempt failed unexpectedly", e);
        }
    }

    private Optional<SendResult> result(ConsumerRecord<String, byte[]> record, Leases.Held lease) {
        connections.acquireUninterruptibly();
        try {
            return stopping
                    ? Optional.of(new MailDeferred(
                            record.key(), lease.release(), null, null, lease.attempts(), clock.instant()))
                    : delivery.attempt(record, lease);
        } finally {
            connections.release();
        }
    }

    /** Stops: begins no attempts, gives back mails that have not begun, and waits for the others. */
    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        stopping = true;
        int all = CONCURRENCY_MAX * READ_AHEAD;
        connections.release(all);
        places.release(all);
        memory.release(memoryUnits);
        threads.shutdown();
        if (!threads.awaitTermination(drainTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.warnf("attempts are aborted, their mails are sent again count=%d", inFlight.get());
            relay.close();
            if (!threads.awaitTermination(REPORT_TIME.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warnf("results are not reported, mails may be sent twice count=%d", inFlight.get());
            }
        }
    }
}
