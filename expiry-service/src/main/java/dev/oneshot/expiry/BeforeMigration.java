package dev.oneshot.expiry;

import io.quarkus.scheduler.Scheduled.SkipPredicate;
import io.quarkus.scheduler.ScheduledExecution;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * Skips all jobs, and reports that the service is not ready, until api-service has migrated the database to this
 * version. That is normal when all services start together.
 */
@Singleton
@Readiness
public final class BeforeMigration implements SkipPredicate, HealthCheck {

    private static final Logger LOG = Logger.getLogger(BeforeMigration.class);

    /** Whether the newest migration that this service needs has been applied: its user may call a function of it. */
    private static final String MIGRATED = "SELECT coalesce(has_function_privilege("
            + "to_regprocedure('drop_expired_mail_partition(interval, interval)'), 'EXECUTE'), false)";

    private final DataSource database;
    private final AtomicReference<String> logged = new AtomicReference<>("");
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
            migrated = query();
        }
        return migrated;
    }

    private boolean query() {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(MIGRATED);
                ResultSet row = statement.executeQuery()) {
            boolean found = row.next() && row.getBoolean(1);
            if (!found) {
                logOnce("waiting for api-service to migrate the database");
            }
            return found;
        } catch (SQLException e) {
            // Not a warning, as the migration may still create the role.
            logOnce("waiting for the database, or for api-service to migrate it: " + e.getMessage());
            return false;
        }
    }

    /** Logs a reason once, until it changes. */
    private void logOnce(String reason) {
        if (!logged.getAndSet(reason).equals(reason)) {
            LOG.info(reason);
        }
    }
}
