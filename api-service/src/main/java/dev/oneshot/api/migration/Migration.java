package dev.oneshot.api.migration;

import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Migrates the database. A migration that waits for a lock has everybody behind it wait as well, readers too, so it
 * waits only briefly, gives way, and comes again: its transaction is undone meanwhile, and nothing of it is visible.
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

    private final SchemaHistory history;
    private final MigrationConnections connections;
    private final MigrationConfig config;

    Migration(SchemaHistory history, MigrationConnections connections, MigrationConfig config) {
        this.history = history;
        this.connections = connections;
        this.config = config;
    }

    void atStart(@Observes @Priority(PRIORITY) StartupEvent event) throws InterruptedException, IOException {
        // Flyway and its connections are a fifth of what the main thread does at a start, and nearly always for
        // nothing.
        if (config.only() || (config.atStart() && !history.isComplete())) {
            migrate(Flyway.configure().resourceProvider(new ListedScripts()).javaMigrationClassProvider(List::of));
        }
        if (config.only()) {
            LOG.info("database migrated");
            // Nothing has begun that would have to be ended. An orderly stop in the middle of a start logs errors of
            // what it misses.
            Runtime.getRuntime().halt(0);
        }
    }

    /**
     * Applies what the database lacks.
     *
     * @param scripts where Flyway finds them; {@link MigrationConnections} says the rest
     * @throws FlywayException if a migration fails
     * @throws IllegalStateException if PostgreSQL does not let its user in; or if others held a lock that it needs for
     *     {@link MigrationConfig#lockPatience()}: all migrations before are done, and of this one nothing is
     */
    void migrate(FluentConfiguration scripts) throws InterruptedException {
        Flyway flyway = connections.customize(scripts).load();
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
                LOG.warnf("migration gives way to those who hold a lock it needs retryIn=%s", pause);
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
