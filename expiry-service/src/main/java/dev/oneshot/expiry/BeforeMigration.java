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
 * Whether the database still lacks what this version needs, as api-service has not migrated it yet: a usual thing when
 * all services start together. Until then no job runs and the service is not ready; afterwards nobody asks again.
 */
@Singleton
@Readiness
public final class BeforeMigration implements SkipPredicate, HealthCheck {

    private static final Logger LOG = Logger.getLogger(BeforeMigration.class);

    /** What the newest migration brought that this service relies on. No right and no table: false or null. */
    private static final String MIGRATED = "SELECT coalesce(has_function_privilege("
            + "to_regprocedure('attach_mail_partitions(timestamptz, timestamptz)'), 'EXECUTE'), false)";

    private final DataSource database;
    private final AtomicReference<String> told = new AtomicReference<>("");
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
        }
        return migrated;
    }

    private boolean ask() {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(MIGRATED);
                ResultSet row = statement.executeQuery()) {
            boolean answer = row.next() && row.getBoolean(1);
            if (!answer) {
                tell("waiting until api-service has migrated the database");
            }
            return answer;
        } catch (SQLException e) {
            // No warning, as the role itself may be made by the migration.
            tell("waiting for the database, or until api-service has migrated it: " + e.getMessage());
            return false;
        }
    }

    /** Once, until it is something else. */
    private void tell(String reason) {
        if (!told.getAndSet(reason).equals(reason)) {
            LOG.info(reason);
        }
    }
}
