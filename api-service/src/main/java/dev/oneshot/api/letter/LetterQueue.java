package dev.oneshot.api.letter;

import dev.oneshot.api.background.BackgroundWork;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.sending.EmailAddress;
import dev.oneshot.api.sending.Outbox;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.LetterRequested;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.runtime.Startup;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.config.ConfigMapping;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Moves letters to the outbox, at most one of a kind an hour to each account. The transactions that charge, replace keys and add
 * credits add the rows. If there is no sender, or the account no longer has a contact, a row is marked and nothing is sent.
 */
@Startup
@ApplicationScoped
public class LetterQueue {

    private static final Logger LOG = Logger.getLogger(LetterQueue.class);
    private static final int BATCH = 100;
    private static final Duration SENT_WITHIN = Duration.ofDays(1);

    private static final String TAKE = """
            UPDATE letter SET queued_at = now() FROM account
            WHERE account.id = account_id AND letter.id IN (
                SELECT id FROM letter AS waiting
                WHERE queued_at IS NULL AND NOT EXISTS (
                    SELECT FROM letter AS earlier
                    WHERE earlier.account_id = waiting.account_id AND earlier.kind = waiting.kind
                        AND earlier.queued_at > now() - interval '1 hour')
                ORDER BY created_at LIMIT ? FOR UPDATE SKIP LOCKED)
            RETURNING letter.id, kind, amount, total, reference, letter.created_at, name,
                CASE WHEN deleted_at IS NULL THEN contact_email END AS contact_email""";

    /** Longer than a billing cycle. */
    private static final String FORGET = "DELETE FROM letter WHERE queued_at < now() - interval '32 days'";

    private final Optional<String> sender;
    private final Database database;
    private final Outbox outbox;
    private final BackgroundWork work;

    /** The service's own letters. */
    @ConfigMapping(prefix = "oneshot.letters")
    public interface Config {

        /** The mailbox that letters to accounts come from, in ASCII; without it none are sent. */
        Optional<String> sender();
    }

    LetterQueue(Config config, Database database, Outbox outbox, BackgroundWork work) {
        this.sender = config.sender();
        this.database = database;
        this.outbox = outbox;
        this.work = work;
        sender.ifPresent(LetterQueue::check);
    }

    private static void check(String sender) {
        ValidSetting.require(
                EmailAddress.isValid(sender)
                        && !sender.startsWith("\"")
                        && StandardCharsets.US_ASCII.newEncoder().canEncode(sender),
                "oneshot.letters.sender must be a mailbox in ASCII such as service@example.org, not " + sender);
    }

    @Scheduled(
            every = "1s",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void move() {
        work.run(this::moveAll);
    }

    private void moveAll() {
        try {
            int taken;
            do {
                taken = moveBatch();
            } while (taken == BATCH && !work.isStopping());
        } catch (RuntimeException e) {
            LOG.warnf("letters not moved to the outbox, retrying: %s", e.toString());
        }
    }

    /** Returns how many rows it has marked. */
    @Transactional
    int moveBatch() {
        List<Optional<LetterRequested>> taken = database.rows(TAKE, this::letter, BATCH);
        taken.stream()
                .flatMap(Optional::stream)
                .forEach(letter -> outbox.add(letter.letterId(), null, EventCodec.encode(letter), letter.expiresAt()));
        return taken.size();
    }

    /** Empty if there is no sender or no contact. */
    private Optional<LetterRequested> letter(ResultSet row) throws SQLException {
        String contact = row.getString("contact_email");
        if (sender.isEmpty() || contact == null) {
            return Optional.empty();
        }
        Instant createdAt = row.getTimestamp("created_at").toInstant();
        return Optional.of(new LetterRequested(
                row.getString("id"),
                LetterRequested.Kind.valueOf(row.getString("kind")),
                sender.get(),
                contact,
                row.getString("name"),
                row.getLong("amount"),
                row.getLong("total"),
                row.getString("reference"),
                createdAt,
                createdAt.plus(SENT_WITHIN)));
    }

    @Scheduled(every = "1h", skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void forget() {
        work.run(() -> database.update(FORGET));
    }
}
