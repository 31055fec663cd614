package dev.oneshot.mailer.request;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.mailer.closed.ClosedTopic;
import dev.oneshot.mailer.kafka.KafkaClients;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.jboss.logging.Logger;

/** Starts and stops everything that runs: a thread for each topic of requests, and one for the deleted addresses. */
@Singleton
final class Mailer {

    private static final Logger LOG = Logger.getLogger(Mailer.class);

    /** How much longer than a drain the group waits for a poll: what Kafka may take to answer meanwhile. */
    private static final Duration POLL_INTERVAL_MARGIN = Duration.ofMinutes(2);

    /** How much longer than a drain a loop may take to end at a stop; all of them drain at the same time. */
    private static final Duration CLOSE_TIME = Duration.ofSeconds(5);

    private static final int CONCURRENCY_MAX = 1000;

    private final MailerConfig config;
    private final KafkaClients clients;
    private final Delivery delivery;
    private final ClosedTopic closedTopic;
    private final InstantSource clock;
    private final MeterRegistry registry;
    private final ExecutorService attempts = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("mail-", 0).factory());
    private final List<RequestLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    Mailer(
            MailerConfig config,
            KafkaClients clients,
            Delivery delivery,
            ClosedTopic closedTopic,
            InstantSource clock,
            MeterRegistry registry) {
        requireConcurrency("concurrency", config.concurrency());
        requireConcurrency("retry-concurrency", config.retryConcurrency());
        if (!config.eraseInterval().isPositive()) {
            throw new IllegalArgumentException("oneshot.mailer.erase-interval must be positive");
        }
        this.config = config;
        this.clients = clients;
        this.delivery = delivery;
        this.closedTopic = closedTopic;
        this.clock = clock;
        this.registry = registry;
    }

    private static void requireConcurrency(String key, int value) {
        if (value < 1 || value > CONCURRENCY_MAX) {
            throw new IllegalArgumentException(
                    "oneshot.mailer." + key + " must be between 1 and " + CONCURRENCY_MAX + ", not " + value);
        }
    }

    void start(@Observes StartupEvent event) {
        Stream.of(
                        new Source(Topic.MAIL_REQUESTED, config.concurrency()),
                        new Source(Topic.MAIL_RETRY_SHORT, config.retryConcurrency()),
                        new Source(Topic.MAIL_RETRY_MEDIUM, config.retryConcurrency()),
                        new Source(Topic.MAIL_RETRY_LONG, config.retryConcurrency()))
                .forEach(this::start);
        run("deleted-addresses", closedTopic);
    }

    private void start(Source source) {
        InFlight inFlight = new InFlight(
                delivery, attempts, source.concurrency(), config.memory().asLongValue());
        Gauge.builder("oneshot.mailer.in.flight", inFlight, InFlight::count)
                .description("Requests that are being delivered, or wait for their turn")
                .tag("topic", source.topic().topicName())
                .register(registry);
        KafkaConsumer<byte[], byte[]> consumer = clients.groupConsumer(
                source.group(),
                config.drainTimeout().plus(POLL_INTERVAL_MARGIN),
                source.concurrency() * InFlight.READ_AHEAD);
        Progress progress = new Progress(clients, source.group() + "-" + UUID.randomUUID());
        Admin admin = clients.admin();
        Backlog backlog = new Backlog(consumer, admin, clock);
        Gauge.builder("oneshot.mailer.backlog", backlog, Backlog::offsets)
                .description("Offsets of requests that are not done: for a topic of retries, those that wait")
                .tag("topic", source.topic().topicName())
                .register(registry);
        Settlements settlements =
                new Settlements(consumer, progress, new SettledContent(admin, config.eraseInterval(), clock), backlog);
        RequestLoop loop = new RequestLoop(source, consumer, inFlight, settlements, clock, config.drainTimeout());
        loops.add(loop);
        run(source.topic().topicName(), () -> {
            try (admin) {
                closedTopic.awaitReadWhole();
                loop.run();
            }
        });
    }

    private void run(String name, Runnable loop) {
        threads.add(Thread.ofPlatform()
                .name(name)
                .uncaughtExceptionHandler((thread, bug) -> LOG.errorf(bug, "loop ended name=%s", thread.getName()))
                .start(loop));
    }

    /** Whether all loops run. */
    boolean isRunning() {
        return threads.stream().allMatch(Thread::isAlive);
    }

    void stop(@Observes ShutdownEvent event) {
        loops.forEach(RequestLoop::stop);
        closedTopic.stop();
        try {
            long begun = System.nanoTime();
            for (Thread thread : threads) {
                Duration left = config.drainTimeout().plus(CLOSE_TIME).minusNanos(System.nanoTime() - begun);
                if (!thread.join(left)) {
                    LOG.warnf("loop did not end in time name=%s", thread.getName());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("interrupted while waiting for the loops to end");
        }
        attempts.shutdownNow();
    }
}
