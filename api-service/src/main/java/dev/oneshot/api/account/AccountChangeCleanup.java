package dev.oneshot.api.account;

import dev.oneshot.api.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.PreparedStatement;

/** Removes changes of accounts that every replica has long read, in bounded transactions. */
@ApplicationScoped
class AccountChangeCleanup {

    private static final int BATCH = 1_000;
    private static final String REMOVE = "DELETE FROM account_change WHERE id IN (SELECT id FROM account_change"
            + " WHERE changed_at < now() - interval '10 minutes' ORDER BY changed_at LIMIT ? FOR UPDATE SKIP LOCKED)";

    private final Database database;

    AccountChangeCleanup(Database database) {
        this.database = database;
    }

    @Scheduled(every = "{oneshot.key-cache.cleanup-every}", concurrentExecution = ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void removeOld() {
        int removed;
        do {
            removed = database.statement(connection -> {
                try (PreparedStatement remove = connection.prepareStatement(REMOVE)) {
                    remove.setInt(1, BATCH);
                    return remove.executeUpdate();
                }
            });
        } while (removed == BATCH);
    }
}
