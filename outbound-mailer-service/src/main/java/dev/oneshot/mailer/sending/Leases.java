package dev.oneshot.mailer.sending;

import dev.oneshot.contracts.event.LeaseExtended;
import dev.oneshot.contracts.event.SendLease;
import dev.oneshot.contracts.trace.TraceContext;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The leases of the attempts in flight. Extends those that end soon, so that no other mailer begins, while a killed mailer's leases still
 * end soon. Safe for use by many threads.
 */
@Singleton
class Leases {

    private static final Duration EXTENSION = Duration.ofSeconds(30);
    private static final Duration SOON = EXTENSION.dividedBy(2);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    /** By how much the clocks of mailers and database may differ. */
    private static final Duration CLOCK_SKEW = Duration.ofSeconds(2);

    private final Results results;
    private final InstantSource clock;
    private final Set<Held> held = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("leases").factory());

    Leases(Results results, InstantSource clock) {
        this.results = results;
        this.clock = clock;
    }

    void start(@Observes StartupEvent event) {
        var _ = timer.scheduleWithFixedDelay(
                () -> held.forEach(Held::extendIfDue), 0, CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    @PreDestroy
    void close() {
        timer.shutdownNow();
    }

    /** Keeps a lease until it is released. */
    Held hold(String addressId, SendLease lease, TraceContext trace) {
        Held one = new Held(addressId, lease, trace);
        held.add(one);
        return one;
    }

    /** A lease that an attempt holds. */
    final class Held {

        private final String addressId;
        private final int attempts;
        private final TraceContext trace;
        private Instant until;
        private CompletableFuture<Void> extension = CompletableFuture.completedFuture(null);

        private Held(String addressId, SendLease lease, TraceContext trace) {
            this.addressId = addressId;
            this.attempts = lease.attempts();
            this.trace = trace;
            this.until = lease.until();
        }

        /** How often the relay was tried under earlier leases. */
        int attempts() {
            return attempts;
        }

        /** Whether no other mailer can have the mail. */
        synchronized boolean isValid() {
            return clock.instant().isBefore(until.minus(CLOCK_SKEW));
        }

        /** Extends it no more, and returns the end that api-service knows. Waits for an extension on its way to Kafka. */
        Instant release() {
            held.remove(this);
            CompletableFuture<Void> last;
            synchronized (this) {
                last = extension;
            }
            last.join();
            synchronized (this) {
                return until;
            }
        }

        /** An extension that Kafka did not acknowledge does not count: the end of the data is not sent under it. */
        private synchronized void extendIfDue() {
            Instant now = clock.instant();
            if (!extension.isDone() || until.isAfter(now.plus(SOON)) || !isValid() || !held.contains(this)) {
                return;
            }
            Instant next = now.plus(EXTENSION).truncatedTo(ChronoUnit.MICROS);
            extension = results.extend(new LeaseExtended(addressId, until, next), trace)
                    .thenAccept(acknowledged -> {
                        if (acknowledged) {
                            extendedUntil(next);
                        }
                    });
        }

        /** An acknowledgement that comes too late changes nothing: another mailer may have the lease. */
        private synchronized void extendedUntil(Instant next) {
            if (isValid()) {
                until = next;
            }
        }
    }
}
