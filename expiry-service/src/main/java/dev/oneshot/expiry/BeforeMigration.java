package dev.oneshot.expiry;

import io.quarkus.scheduler.Scheduled.SkipPredicate;
import io.quarkus.scheduler.ScheduledExecution;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * Whether the database still lacks what this version needs, as api-service has not migrated it yet: a usual thing when
 * all services start together. Until then no job runs and the service is not ready; afterwards nobody asks again.
 */
@Singleton
@Readiness
public final class BeforeMigration implements SkipPredicate, HealthCheck {

    private static final Logger LOG = Logger.getLogger(BeforeMigration.class);

    /** What the newest migration brought that this service relies on. No right and no table: false or null. */
    private static final String MIGRATED =
            "SELECT coalesce(has_column_privilege(to_regclass('address'), 'mail_size_bytes', 'SELECT'), false)";

    private final DataSource database;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile boolean migrated;

    BeforeMigration(DataSource database) {
        this.database = database;
    }

    @Override
    public boolean test(ScheduledExecution execution) {
        return !isMigrated();
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("migrated").status(isMigrated()).build();
    }

    boolean isMigrated() {
        if (!migrated) {
            migrated = ask();
            if (!migrated && told.compareAndSet(false, true)) {
                LOG.info("waiting until api-service has migrated the database");
            }
        }
        return migrated;
    }

    private boolean ask() {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(MIGRATED);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        } catch (SQLException e) {
            // The health check of the data source tells why; the role itself may be made by the migration.
            LOG.debugf("database not reached sqlState=%s", e.getSQLState());
            return false;
        }
    }
}
