package dev.oneshot.api.idempotency;

import dev.oneshot.api.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;

/** Removes kept answers that are too old, in bounded transactions. Several replicas share the work. */
@ApplicationScoped
class IdempotencyCleanup {

    private final Database database;
    private final IdempotentAnswers answers;
    private final int batch;

    IdempotencyCleanup(Database database, IdempotentAnswers answers, IdempotencyConfig config) {
        if (config.cleanupBatch() < 1) {
            throw new IllegalArgumentException("oneshot.idempotency.cleanup-batch must be at least 1");
        }
        this.database = database;
        this.answers = answers;
        this.batch = config.cleanupBatch();
    }

    @Scheduled(every = "{oneshot.idempotency.cleanup-every}", concurrentExecution = ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void removeOld() {
        int removed;
        do {
            removed = database.statement(connection -> answers.removeOld(connection, batch));
        } while (removed == batch);
    }
}
