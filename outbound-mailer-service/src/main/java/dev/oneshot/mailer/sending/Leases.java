package dev.oneshot.mailer.sending;

import dev.oneshot.contracts.event.LeaseExtended;
import dev.oneshot.contracts.event.SendLease;
import io.opentelemetry.context.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases of the attempts in flight. Leases are short, so that mails of a killed mailer are sent again soon; long
 * attempts extend theirs. Safe for use by many threads.
 */
@Singleton
class Leases {

    private static final Duration EXTENSION = Duration.ofSeconds(30);
    private static final Duration SOON = EXTENSION.dividedBy(2);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    /** The largest assumed difference between the clocks of mailers and database. */
    private static final Duration CLOCK_SKEW = Duration.ofSeconds(2);

    private final Results results;
    private final InstantSource clock;
    private final Set<Held> held = ConcurrentHashMap.newKeySet();

    Leases(Results results, InstantSource clock, Vertx vertx) {
        this.results = results;
        this.clock = clock;
        // Each lease has its own task, so that an error in one does not stop the others.
        vertx.setPeriodic(
                CHECK_INTERVAL.toMillis(), _ -> held.forEach(lease -> vertx.runOnContext(_ -> lease.extendIfDue())));
    }

    /** Extends a lease until it is released. */
    Held hold(String addressId, SendLease lease, Context trace) {
        Held one = new Held(addressId, lease, trace);
        held.add(one);
        return one;
    }

    /** A lease that an attempt holds. */
    final class Held {

        private final String addressId;
        private final int attempts;
        private final Context trace;
        private volatile Instant until;
        private CompletableFuture<Void> extension = CompletableFuture.completedFuture(null);

        private Held(String addressId, SendLease lease, Context trace) {
            this.addressId = addressId;
            this.attempts = lease.attempts();
            this.trace = trace;
            this.until = lease.until();
        }

        /** How many attempts were made under earlier leases. */
        int attempts() {
            return attempts;
        }

        /** Whether no other mailer can have the mail. */
        boolean isValid() {
            return clock.instant().isBefore(until.minus(CLOCK_SKEW));
        }

        /** Stops extending the lease, and returns its end. Waits for Kafka if an extension is being sent. */
        Instant release() {
            held.remove(this);
            CompletableFuture<Void> last;
            synchronized (this) {
                last = extension;
            }
            last.join();
            return until;
        }

        /** The old end of the lease applies until Kafka has acknowledged the extension. */
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

        /** A late acknowledgement changes nothing, as another mailer may have the lease. */
        private synchronized void extendedUntil(Instant next) {
            if (isValid()) {
                until = next;
            }
        }
    }
}
