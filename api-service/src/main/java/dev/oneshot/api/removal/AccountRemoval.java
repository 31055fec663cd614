package dev.oneshot.api.removal;

import dev.oneshot.api.account.AccountStore;
import dev.oneshot.api.background.BackgroundWork;
import dev.oneshot.api.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Deletes accounts with everything they own, except for the entries of the ledger, which accounting must keep. The account is
 * marked first: from then on nothing of it can be created or read. Then its rows are deleted, in transactions of a bounded
 * size, its own row last. The result of a mail that a mailer is sending at that time is still recorded, without the
 * account. An interrupted removal is continued by the operator or by the next regular run.
 */
@ApplicationScoped
public class AccountRemoval {

    private static final Logger LOG = Logger.getLogger(AccountRemoval.class);
    private static final int ACCOUNTS_A_RUN = 100;
    private static final int BATCH = 1_000;

    private static final String REMOVE_RESPONSES = "DELETE FROM kept_response WHERE (account_id, key) IN"
            + " (SELECT account_id, key FROM kept_response WHERE account_id = ? LIMIT " + BATCH + ")";
    private static final String REMOVE_SETTLEMENTS = "DELETE FROM send_settlement WHERE address_id IN"
            + " (SELECT address_id FROM send_settlement WHERE account_id = ? LIMIT " + BATCH + ")";
    // Waits for a move of letters to the outbox that has begun. No later move takes letters of this account.
    private static final String KEEP_LETTERS =
            "UPDATE letter SET queued_at = now() WHERE account_id = ? AND queued_at IS NULL";
    private static final String REMOVE_LETTERS = "DELETE FROM send_outbox WHERE address_id IN"
            + " (SELECT address_id FROM send_outbox JOIN letter ON letter.id = address_id WHERE account_id = ?"
            + " ORDER BY address_id FOR UPDATE OF send_outbox)";
    private static final String REMOVE_BUCKET = "DELETE FROM rate_bucket WHERE account_id = ?";

    private final AccountStore accounts;
    private final AddressRemoval addresses;
    private final Database database;
    private final BackgroundWork work;

    AccountRemoval(AccountStore accounts, AddressRemoval addresses, Database database, BackgroundWork work) {
        this.accounts = accounts;
        this.addresses = addresses;
        this.database = database;
        this.work = work;
    }

    /** Deletes an account, or continues its removal; false if there is none. */
    public boolean remove(UUID id) {
        if (!accounts.markDeleted(id)) {
            return false;
        }
        finish(id);
        return true;
    }

    @Scheduled(
            every = "{oneshot.account.removals-every}",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void resumeInterrupted() {
        work.run(this::resume);
    }

    private void resume() {
        for (UUID id : accounts.markedDeleted(ACCOUNTS_A_RUN)) {
            if (work.isStopping()) {
                return;
            }
            try {
                finish(id);
                LOG.infof("account removal finished accountId=%s", id);
            } catch (RuntimeException e) {
                // Continues with the other accounts; the next run tries this one again.
                LOG.errorf(e, "account removal failed accountId=%s", id);
            }
        }
    }

    private void finish(UUID id) {
        addresses.deleteAll(id, null);
        deleteInBatches(REMOVE_RESPONSES, id);
        deleteInBatches(REMOVE_SETTLEMENTS, id);
        database.update(KEEP_LETTERS, id);
        database.update(REMOVE_LETTERS, id);
        database.update(REMOVE_BUCKET, id);
        accounts.remove(id);
    }

    private void deleteInBatches(String sql, UUID id) {
        int removed;
        do {
            removed = database.update(sql, id);
        } while (removed == BATCH);
    }
}
