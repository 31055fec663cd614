package dev.oneshot.api.inbox;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.database.DatabaseFaultException;
import dev.oneshot.api.database.DatabaseUnavailableException;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Creates hourly partitions for mail before mail can need them. */
@ApplicationScoped
class MailPartitions {

    private static final Logger LOG = Logger.getLogger(MailPartitions.class);

    /** An hour above the longest lifetime. */
    private static final Duration AHEAD_MIN = Duration.ofHours(25);
    // Not those of hours that are over, as expiry-service drops them, and no mail is stored in them.
    private static final String CREATE = "SELECT create_mail_partitions(now(), now() + make_interval(secs => ?))";

    private final Database database;
    private final Duration ahead;

    MailPartitions(Database database, InboxConfig config) {
        this.database = database;
        this.ahead = ValidSetting.atLeast("oneshot.inbox.partitions-ahead", config.partitionsAhead(), AHEAD_MIN);
    }

    void atStart(@Observes StartupEvent event) {
        tryToCreate();
    }

    @Scheduled(every = "{oneshot.inbox.partitions-every}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void regularly() {
        tryToCreate();
    }

    /** Creates missing partitions. */
    void create() {
        int created =
                database.row(CREATE, row -> row.getInt(1), ahead.toSeconds()).orElseThrow();
        if (created > 0) {
            LOG.infof("mail partitions created count=%d", created);
        }
    }

    private void tryToCreate() {
        try {
            create();
        } catch (DatabaseUnavailableException | DatabaseFaultException e) {
            LOG.warn("mail partitions not created, retrying", e);
        }
    }
}
