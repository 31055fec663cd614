package dev.oneshot.api.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import io.quarkus.runtime.StartupEvent;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** When a start may go on without Flyway; on a database of its own each. */
class SchemaHistoryTest {

    private static final LocalPostgres SERVER = TemporaryBackends.postgres();

    private final PGSimpleDataSource database = new PGSimpleDataSource();

    @BeforeEach
    void createDatabase() throws SQLException {
        String name = "h" + UUID.randomUUID().toString().replace("-", "");
        try (Connection server = DriverManager.getConnection(SERVER.jdbcUrl(), SERVER.username(), SERVER.password());
                Statement statement = server.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        database.setURL(SERVER.jdbcUrl().replaceFirst("/[a-z]+$", "/" + name));
        database.setUser(SERVER.username());
        database.setPassword(SERVER.password());
    }

    @Test
    void emptyDatabaseIsNotComplete() throws IOException {
        assertThat(new SchemaHistory(database).isComplete()).isFalse();
    }

    @Test
    void startWithNothingToDoIsLeftAlone() throws Exception {
        // Given
        migration(database.getURL()).atStart(new StartupEvent());

        // When
        boolean complete = new SchemaHistory(database).isComplete();

        // Then
        assertThat(complete).isTrue();
        assertThatCode(() -> migration("jdbc:nothing").atStart(new StartupEvent()))
                .as("Flyway is not asked")
                .doesNotThrowAnyException();
    }

    @Test
    void historyOfVersionsThatKnewTheFolderIsCompleteAsWell() throws Exception {
        // Given
        migration(database.getURL()).atStart(new StartupEvent());
        execute("UPDATE flyway_schema_history SET script = 'db/migration/' || script");

        // When
        boolean complete = new SchemaHistory(database).isComplete();

        // Then
        assertThat(complete).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM flyway_schema_history WHERE version = '11'",
                "UPDATE flyway_schema_history SET success = false WHERE version = '11'",
                "UPDATE flyway_schema_history SET checksum = checksum + 1 WHERE version = '1'",
                "UPDATE flyway_schema_history SET checksum = NULL WHERE version = '1'",
                "UPDATE flyway_schema_history SET script = 'V1__other.sql' WHERE version = '1'",
                "INSERT INTO flyway_schema_history SELECT 99, '99', description, type, 'V99__later.sql', checksum,"
                        + " installed_by, installed_on, execution_time, success"
                        + " FROM flyway_schema_history WHERE version = '11'",
                "DROP TABLE flyway_schema_history"
            })
    void whateverElseIsForFlywayToJudge(String change) throws Exception {
        // Given
        migration(database.getURL()).atStart(new StartupEvent());
        execute(change);

        // When
        boolean complete = new SchemaHistory(database).isComplete();

        // Then
        assertThat(complete).isFalse();
        assertThatThrownBy(() -> migration("jdbc:nothing").atStart(new StartupEvent()))
                .isInstanceOf(FlywayException.class);
    }

    /** The list of scripts is what Flyway would find by itself. */
    @Test
    void flywayFindsNothingMoreInTheFolder() throws Exception {
        // Given
        migration(database.getURL()).atStart(new StartupEvent());

        // When
        int applied = Flyway.configure()
                .dataSource(database)
                .locations("classpath:db/migration")
                .load()
                .migrate()
                .migrationsExecuted;

        // Then
        assertThat(applied).isZero();
    }

    private void execute(String change) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(change);
        }
    }

    private Migration migration(String url) {
        MigrationConfig settings = new AtStart();
        return new Migration(
                new SchemaHistory(database),
                new MigrationConnections(settings, url, SERVER.username(), SERVER.password()),
                settings);
    }

    private record AtStart() implements MigrationConfig {

        @Override
        public boolean atStart() {
            return true;
        }

        @Override
        public boolean only() {
            return false;
        }

        @Override
        public Duration lockTimeout() {
            return Duration.ofSeconds(1);
        }

        @Override
        public Duration lockPatience() {
            return Duration.ofSeconds(30);
        }

        @Override
        public Duration statementTimeout() {
            return Duration.ZERO;
        }
    }
}
