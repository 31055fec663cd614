package dev.oneshot.api.migration;

import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.flyway.FlywayConfigurationCustomizer;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jboss.logging.Logger;

/**
 * Migrates the database. All statements queue behind a migration that waits for a lock, so it waits only briefly, rolls back,
 * and tries again later.
 *
 * <p>Flyway has connections of its own. Those of the service end a statement after half a minute, too soon for an index of a
 * large table; and a request must not get a connection on which a migration has changed settings. Flyway opens connections of its
 * own if {@code application.properties} sets its URL and user.
 */
@Singleton
public final class Migration implements FlywayConfigurationCustomizer {

    /** Runs before all other observers of this event, as they and Quarkus's scheduler use the database. */
    public static final int PRIORITY = Interceptor.Priority.PLATFORM_BEFORE - 100;

    private static final Logger LOG = Logger.getLogger(Migration.class);
    /** The pause before each retry doubles from one second on, so the database may start minutes after this service. */
    private static final int CONNECT_RETRIES = 10;

    /** The pause after a wait for a lock is five times as long, so other statements wait for a sixth of the time at most. */
    private static final int LOCK_TIMEOUTS_BETWEEN_TRIES = 5;

    /** SQL states of a login that is rejected, and of a database that does not exist. */
    private static final String NOT_AUTHORIZED_CLASS = "28";

    private static final String NO_SUCH_DATABASE = "3D000";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DEADLOCK_DETECTED = "40P01";

    private final Provider<Flyway> flyway;
    private final Config config;

    /** When migrations run, and how long they wait for locks. */
    @ConfigMapping(prefix = "oneshot.migration")
    public interface Config {

        /** Whether this process migrates before it serves. */
        @WithDefault("true")
        boolean atStart();

        /** Whether this process only runs the migrations and then ends, as the chart's Job does. It overrides {@link #atStart()}. */
        @WithDefault("false")
        boolean only();

        /**
         * How long a migration waits for one lock, from a millisecond to a minute. Later statements on the same table wait that
         * long too. Then the migration releases its place in the queue, pauses for five times as long, and tries again.
         */
        @WithDefault("PT1S")
        Duration lockTimeout();

        /**
         * How long a migration tries to get its locks in total, and how long it waits for another process that migrates. From a
         * second to a day.
         */
        @WithDefault("PT10M")
        Duration lockPatience();
    }

    Migration(Provider<Flyway> flyway, Config config) {
        ValidSetting.between(
                "oneshot.migration.lock-timeout", config.lockTimeout(), Duration.ofMillis(1), Duration.ofMinutes(1));
        ValidSetting.between(
                "oneshot.migration.lock-patience", config.lockPatience(), Duration.ofSeconds(1), Duration.ofDays(1));
        this.flyway = flyway;
        this.config = config;
    }

    @Override
    public void customize(FluentConfiguration configuration) {
        // Options of the connection override the defaults of role and database.
        String options =
                "-c statement_timeout=0 -c lock_timeout=%d -c idle_in_transaction_session_timeout=0 -c timezone=UTC"
                        .formatted(config.lockTimeout().toMillis());
        configuration
                .jdbcProperties(Map.of(
                        "ApplicationName", "oneshot-migration",
                        "connectTimeout", "5",
                        "tcpKeepAlive", "true",
                        "options", options))
                .connectRetries(CONNECT_RETRIES)
                // Flyway asks once a second whether another process still migrates.
                .lockRetryCount((int) config.lockPatience().toSeconds())
                // CREATE INDEX CONCURRENTLY would wait for the transaction of such a lock without end.
                .configuration(Map.of("flyway.postgresql.transactional.lock", "false"));
    }

    void atStart(@Observes @Priority(PRIORITY) StartupEvent event) throws InterruptedException {
        if (config.only() || config.atStart()) {
            migrate(flyway.get());
        }
        if (config.only()) {
            LOG.info("database migrated");
            // Halts: nothing has started that must be stopped, and an orderly stop during the start logs errors.
            Runtime.getRuntime().halt(0);
        }
    }

    /**
     * Applies missing migrations.
     *
     * @throws FlywayException if a migration fails
     * @throws IllegalStateException if PostgreSQL rejects the user, if a build before 1.0.0 has migrated the database, or if a
     *     migration got no lock for {@link Config#lockPatience()}: then all earlier migrations are done, and this one is rolled back
     */
    void migrate(Flyway customized) throws InterruptedException {
        requireAccess(customized.getConfiguration().getDataSource());
        requireReleased(customized.info());
        // Even with nothing to do, migrate() waits for the lock of one that builds an index for hours; services must
        // start.
        if (isComplete(customized.info())) {
            return;
        }
        long begun = System.nanoTime();
        while (true) {
            try {
                customized.migrate();
                return;
            } catch (FlywayException e) {
                if (!isLockHeldByOthers(e)) {
                    throw e;
                }
                if (System.nanoTime() - begun > config.lockPatience().toNanos()) {
                    throw new IllegalStateException(
                            "a lock that a migration needs was held by others for all of"
                                    + " oneshot.migration.lock-patience="
                                    + config.lockPatience() + "; what holds it is in pg_locks and pg_stat_activity",
                            e);
                }
                Duration pause = config.lockTimeout().multipliedBy(LOCK_TIMEOUTS_BETWEEN_TRIES);
                LOG.warnf("migration got no lock retryIn=%s", pause);
                Thread.sleep(pause);
            }
        }
    }

    /**
     * Fails at once where waiting does not help: Flyway would retry for longer than Helm waits. A server that is down or starting
     * is left to Flyway.
     *
     * @throws IllegalStateException if the server rejects the user, the password or the database
     */
    private static void requireAccess(DataSource database) {
        try (Connection connection = database.getConnection()) {
            LOG.debugf("the database is there url=%s", connection.getMetaData().getURL());
        } catch (SQLException e) {
            String state = e.getSQLState();
            if (NO_SUCH_DATABASE.equals(state) || (state != null && state.startsWith(NOT_AUTHORIZED_CLASS))) {
                throw new IllegalStateException(
                        "PostgreSQL rejects the migration login, see ONESHOT_DATABASE_URL, ONESHOT_DATABASE_USERNAME"
                                + " and ONESHOT_DATABASE_PASSWORD: " + e.getMessage(),
                        e);
            }
            LOG.debugf("the database is not there yet: %s", e.getMessage());
        }
    }

    /** Flyway alone would count the migrations of earlier builds as these. */
    private static void requireReleased(MigrationInfoService history) {
        MigrationInfo[] applied = history.applied();
        if (applied.length > 0 && !applied[0].isChecksumMatching()) {
            throw new IllegalStateException(
                    "the database has the tables of a build before 1.0.0, which cannot be migrated:"
                            + " use a new database; for one of ./oneshot, remove the folder .oneshot");
        }
    }

    private static boolean isComplete(MigrationInfoService history) {
        return history.pending().length == 0
                && Arrays.stream(history.all()).noneMatch(one -> one.getState().isFailed());
    }

    private static boolean isLockHeldByOthers(FlywayException failure) {
        SQLException refused = Database.sqlFailure(failure);
        return refused != null
                && (LOCK_NOT_AVAILABLE.equals(refused.getSQLState())
                        || DEADLOCK_DETECTED.equals(refused.getSQLState()));
    }
}
