package dev.oneshot.api.sending;

import dev.oneshot.api.database.Database;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Forgets the ends of requests when they have been kept long enough. */
@ApplicationScoped
class SettlementRetention {

    private static final int BATCH = 1000;

    private final Database database;
    private final Duration kept;
    private final InstantSource clock;

    SettlementRetention(Database database, SendingConfig config, InstantSource clock) {
        if (!config.settlementsKept().isPositive()) {
            throw new IllegalArgumentException("oneshot.sending.settlements-kept must be positive");
        }
        this.database = database;
        this.kept = config.settlementsKept();
        this.clock = clock;
    }

    @Scheduled(every = "1h", delayed = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void forget() {
        Instant before = clock.instant().minus(kept);
        int forgotten;
        do {
            forgotten = database.statement(connection -> Settlements.forget(connection, before, BATCH));
        } while (forgotten == BATCH);
    }
}
