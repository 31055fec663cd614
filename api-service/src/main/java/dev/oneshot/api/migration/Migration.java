package dev.oneshot.api.migration;

import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Migrates the database. All statements queue behind a migration that waits for a lock, so it waits only briefly, rolls back,
 * and tries again later.
 */
@Singleton
public final class Migration {

    /** Before anything of this service or Quarkus' scheduler uses the database; all of it starts upon the same event. */
    public static final int PRIORITY = Interceptor.Priority.PLATFORM_BEFORE - 100;

    private static final Logger LOG = Logger.getLogger(Migration.class);
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DEADLOCK_DETECTED = "40P01";

    /** So that others are held up for a sixth of the time at most. */
    private static final int LOCK_TIMEOUTS_BETWEEN_TRIES = 5;

    private final Provider<Flyway> flyway;
    private final SchemaHistory history;
    private final MigrationConfig config;

    Migration(Provider<Flyway> flyway, SchemaHistory history, MigrationConfig config) {
        this.flyway = flyway;
        this.history = history;
        this.config = config;
    }

    void atStart(@Observes @Priority(PRIORITY) StartupEvent event) throws InterruptedException, IOException {
        // Flyway is a fifth of the main thread's start, and nearly always finds nothing to do.
        if (config.only() || (config.atStart() && !history.isComplete())) {
            migrate(flyway.get());
        }
        if (config.only()) {
            LOG.info("database migrated");
            // Nothing has started that must be stopped, and an orderly stop in the middle of a start logs errors.
            Runtime.getRuntime().halt(0);
        }
    }

    /**
     * Applies missing migrations.
     *
     * @param flyway with the connections of {@link MigrationConnections}
     * @throws FlywayException if a migration fails
     * @throws IllegalStateException if PostgreSQL rejects the user, or if a migration got no lock for
     *     {@link MigrationConfig#lockPatience()}: then all earlier migrations are done, and this one is rolled back
     */
    void migrate(Flyway flyway) throws InterruptedException {
        MigrationConnections.requireAccess(flyway.getConfiguration().getDataSource());
        long begun = System.nanoTime();
        while (true) {
            try {
                flyway.migrate();
                return;
            } catch (FlywayException e) {
                if (!isLockHeldByOthers(e)) {
                    throw e;
                }
                if (System.nanoTime() - begun > config.lockPatience().toNanos()) {
                    throw new IllegalStateException(
                            "a lock that a migration needs was held by others for all of oneshot.migration.lock-patience="
                                    + config.lockPatience() + "; what holds it is in pg_locks and pg_stat_activity",
                            e);
                }
                Duration pause = config.lockTimeout().multipliedBy(LOCK_TIMEOUTS_BETWEEN_TRIES);
                LOG.warnf("migration got no lock retryIn=%s", pause);
                Thread.sleep(pause);
            }
        }
    }

    private static boolean isLockHeldByOthers(FlywayException failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException refused) {
                String state = refused.getSQLState();
                return LOCK_NOT_AVAILABLE.equals(state) || DEADLOCK_DETECTED.equals(state);
            }
        }
        return false;
    }
}
