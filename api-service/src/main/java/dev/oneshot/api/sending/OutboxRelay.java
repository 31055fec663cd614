package dev.oneshot.api.sending;

import dev.oneshot.contracts.setting.ValidSetting;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.context.Scope;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.jboss.logging.Logger;

/**
 * Publishes what is due in the outbox. A request is leased and committed first, then published: a replica that dies between the two
 * leaves a lease that ends, never a second record of the same lease. Any number of replicas do this side by side.
 */
@ApplicationScoped
public class OutboxRelay {

    private static final Logger LOG = Logger.getLogger(OutboxRelay.class);
    /** The most requests that one pass publishes. */
    private static final int BATCH = 100;
    /** The most bytes of requests that one pass takes into memory; a single larger request is still taken. */
    private static final long BYTES_MAX = 32 * 1024 * 1024;
    /** How often to look for mail that other replicas added; mail that this one adds is published at once. */
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    private static final Duration STOP_TIME = Duration.ofSeconds(20);
    /** Until the mailer extends it, a lease must outlast publishing, the wait for a connection and clock skew. */
    private static final Duration LEASE_MIN = Duration.ofSeconds(15);

    private static final Duration STATE_INTERVAL = Duration.ofSeconds(1);

    private final Outbox outbox;
    private final DueMails dueMails;
    private final Config config;
    private final Counter published;
    private final Counter failures;
    private final Thread thread = Thread.ofPlatform().name("outbox").daemon().unstarted(this::run);
    private long stateAtNanos = System.nanoTime() - STATE_INTERVAL.toNanos();
    private volatile Outbox.State state = new Outbox.State(0, 0, 0);
    private final Semaphore woken = new Semaphore(0);
    private volatile boolean stopping;

    /** Limits on mail leased to mailers. */
    @ConfigMapping(prefix = "oneshot.sending")
    public interface Config {

        /**
         * The most requests leased to mailers at a time, at least 1. If it is less than the connections of all mailers, some stay idle.
         * If it is much more, requests wait in Kafka, where a deletion does not stop them.
         */
        @WithDefault("1000")
        int window();

        /**
         * How long a lease lasts, at least 15 s and less than a day. Mailers extend the leases of longer attempts. If a mailer is
         * killed, its mail is sent again after the leases end.
         */
        @WithDefault("30s")
        Duration lease();
    }

    OutboxRelay(Outbox outbox, DueMails dueMails, Config config, MeterRegistry registry) {
        ValidSetting.atLeast("oneshot.sending.window", config.window(), 1);
        ValidSetting.require(
                config.lease().compareTo(LEASE_MIN) >= 0 && config.lease().toDays() < 1,
                "oneshot.sending.lease must be from " + LEASE_MIN + " to less than PT24H, not " + config.lease());
        this.outbox = outbox;
        this.dueMails = dueMails;
        this.config = config;
        this.published = Counter.builder("oneshot.outbox.published")
                .description("Requests that Kafka has acknowledged")
                .register(registry);
        this.failures = Counter.builder("oneshot.outbox.failures")
                .description("Passes over the outbox that failed and are repeated")
                .register(registry);
        Gauge.builder("oneshot.outbox.depth", () -> state.due())
                .description("Requests that are due and wait to be published")
                .register(registry);
        Gauge.builder("oneshot.outbox.age", () -> state.oldestSeconds())
                .description("How long the oldest request that waits to be published has been due")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("oneshot.outbox.leased", () -> state.leased())
                .description("Requests that are with the mailers")
                .register(registry);
    }

    void start(@Observes StartupEvent event) {
        thread.start();
    }

    /** Before other observers wait for the end of requests. */
    void beginToStop(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) ShutdownEvent event) {
        stopping = true;
        dueMails.stop();
        woken.release();
    }

    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        if (!thread.join(STOP_TIME)) {
            LOG.warn("outbox relay did not stop in time");
        }
    }

    void wake(@Observes(during = TransactionPhase.AFTER_SUCCESS) Outbox.Due due) {
        woken.release();
    }

    private void run() {
        try {
            while (!stopping) {
                pass();
            }
        } catch (InterruptedException e) {
            LOG.info("outbox relay interrupted");
            Thread.currentThread().interrupt();
        }
    }

    /** Publishes a batch. Without due mail, waits for a wake-up. */
    private void pass() throws InterruptedException {
        try {
            tidy();
            if (publish() == 0) {
                await(INTERVAL);
            }
        } catch (RuntimeException | Error e) {
            // Even an error must not end the thread: nothing would be sent until the next start.
            LOG.warnf("outbox pass failed: %s", e.toString());
            failures.increment();
            await(FAILURE_PAUSE);
        }
    }

    private void await(Duration patience) throws InterruptedException {
        var _ = woken.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
        var _ = woken.drainPermits();
    }

    /** Steps without Kafka, which matter most while it is down. */
    private void tidy() {
        outbox.expire(BATCH);
        if (System.nanoTime() - stateAtNanos >= STATE_INTERVAL.toNanos()) {
            stateAtNanos = System.nanoTime();
            state = outbox.state();
        }
    }

    private int publish() throws InterruptedException {
        if (!outbox.hasDue()) {
            return 0;
        }
        dueMails.requireKafka();
        List<Outbox.Leased> leased = outbox.lease(config.window(), config.lease(), BATCH, BYTES_MAX);
        if (leased.isEmpty()) {
            return 0;
        }
        List<Outbox.Leased> unpublished = dueMails.publish(leased);
        if (!unpublished.isEmpty()) {
            outbox.giveBack(unpublished);
            throw new KafkaException("Kafka did not take " + unpublished.size() + " due mails");
        }
        published.increment(leased.size());
        leased.forEach(OutboxRelay::logPublished);
        return leased.size();
    }

    private static void logPublished(Outbox.Leased leased) {
        try (Scope _ = leased.trace().makeCurrent()) {
            LOG.infof(
                    "mail published addressId=%s attempts=%d bytes=%d",
                    leased.addressId(),
                    leased.lease().attempts(),
                    leased.value().length());
        }
    }
}
