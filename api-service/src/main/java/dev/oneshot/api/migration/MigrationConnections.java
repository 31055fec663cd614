package dev.oneshot.api.migration;

import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.jboss.logging.Logger;

/**
 * Gives Flyway connections of its own. Those of the service end a statement after half a minute, too soon for an index of a
 * large table; and a request must not get a connection on which a migration has changed settings.
 */
@Singleton
public final class MigrationConnections implements FlywayConfigurationCustomizer {

    private static final Logger LOG = Logger.getLogger(MigrationConnections.class);
    private static final Duration LOCK_TIMEOUT_MIN = Duration.ofMillis(1);
    private static final Duration LOCK_TIMEOUT_MAX = Duration.ofMinutes(1);
    private static final Duration LOCK_PATIENCE_MIN = Duration.ofSeconds(1);
    private static final Duration LOCK_PATIENCE_MAX = Duration.ofDays(1);
    private static final Duration STATEMENT_TIMEOUT_MAX = Duration.ofDays(7);
    private static final String CONNECT_TIMEOUT_SECONDS = "5";

    /** The pause before each doubles from a second on, so the database may start minutes after this service. */
    private static final int CONNECT_RETRIES = 10;

    /** SQL states: a wrong name or password, or none that may connect; and a database that does not exist. */
    private static final String NOT_AUTHORIZED_CLASS = "28";

    private static final String NO_SUCH_DATABASE = "3D000";

    private final MigrationConfig config;
    private final String url;
    private final String username;
    private final String password;

    MigrationConnections(
            MigrationConfig config,
            @ConfigProperty(name = "quarkus.datasource.jdbc.url") String url,
            @ConfigProperty(name = "quarkus.datasource.username") String username,
            @ConfigProperty(name = "quarkus.datasource.password") String password) {
        ValidSetting.between(
                "oneshot.migration.lock-timeout", config.lockTimeout(), LOCK_TIMEOUT_MIN, LOCK_TIMEOUT_MAX);
        ValidSetting.between(
                "oneshot.migration.lock-patience", config.lockPatience(), LOCK_PATIENCE_MIN, LOCK_PATIENCE_MAX);
        ValidSetting.between(
                "oneshot.migration.statement-timeout", config.statementTimeout(), Duration.ZERO, STATEMENT_TIMEOUT_MAX);
        this.config = config;
        this.url = url;
        this.username = username;
        this.password = password;
    }

    /** A migration outside a transaction may change the setting for those after it. */
    private static final class LockTimeoutReset extends BaseCallback {

        @Override
        public boolean supports(Event event, Context context) {
            return event == Event.BEFORE_EACH_MIGRATE;
        }

        @Override
        public boolean canHandleInTransaction(Event event, Context context) {
            return true;
        }

        @Override
        public void handle(Event event, Context context) {
            try (Statement statement = context.getConnection().createStatement()) {
                statement.execute("RESET lock_timeout");
            } catch (SQLException e) {
                throw new FlywayException("the lock timeout could not be reset before a migration", e);
            }
        }
    }

    @Override
    public void customize(FluentConfiguration configuration) {
        // Options of the connection override the defaults of role and database.
        String options =
                "-c statement_timeout=%d -c lock_timeout=%d -c idle_in_transaction_session_timeout=0 -c timezone=UTC"
                        .formatted(
                                config.statementTimeout().toMillis(),
                                config.lockTimeout().toMillis());
        configuration
                .jdbcProperties(Map.of(
                        "ApplicationName",
                        "oneshot-migration",
                        "connectTimeout",
                        CONNECT_TIMEOUT_SECONDS,
                        "tcpKeepAlive",
                        "true",
                        "options",
                        options))
                .dataSource(url, username, password);
        configuration.callbacks(new LockTimeoutReset());
        configuration.connectRetries(CONNECT_RETRIES);
        // Flyway asks once a second whether another process still migrates.
        configuration.lockRetryCount((int) config.lockPatience().toSeconds());
        // CREATE INDEX CONCURRENTLY would wait for the transaction of such a lock without end.
        configuration
                .getPluginRegister()
                .getExact(PostgreSQLConfigurationExtension.class)
                .setTransactionalLock(false);
    }

    /**
     * Fails at once where waiting does not help: Flyway would retry for longer than Helm waits. A server that is down or starting
     * is left to Flyway.
     *
     * @throws IllegalStateException if the server rejects the user, the password or the database
     */
    static void requireAccess(DataSource database) {
        try (Connection connection = database.getConnection()) {
            LOG.debugf("the database is there url=%s", connection.getMetaData().getURL());
        } catch (SQLException e) {
            String state = e.getSQLState();
            if (NO_SUCH_DATABASE.equals(state) || (state != null && state.startsWith(NOT_AUTHORIZED_CLASS))) {
                throw new IllegalStateException(
                        "PostgreSQL rejects the migration login, see ONESHOT_DATABASE_URL, ONESHOT_DATABASE_USERNAME and"
                                + " ONESHOT_DATABASE_PASSWORD: " + e.getMessage(),
                        e);
            }
            LOG.debugf("the database is not there yet: %s", e.getMessage());
        }
    }
}
