package dev.oneshot.api.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.TestSettings;
import dev.oneshot.contracts.migration.MigrationScripts;
import io.quarkus.runtime.StartupEvent;
import java.io.IOException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a start may skip Flyway. Each test has a new database. */
class SchemaHistoryTest {

    private static final MigrationConfig SETTINGS = TestSettings.of(MigrationConfig.class);

    private EmptyDatabase database;

    @BeforeEach
    void createDatabase() {
        database = new EmptyDatabase();
    }

    @Test
    void emptyDatabaseIsNotComplete() throws IOException {
        assertThat(new SchemaHistory(database.dataSource()).isComplete()).isFalse();
    }

    @Test
    void startWithNothingToDoIsLeftAlone() throws Exception {
        // Given
        migration().atStart(new StartupEvent());

        // When
        boolean complete = new SchemaHistory(database.dataSource()).isComplete();

        // Then
        assertThat(complete).isTrue();
        assertThatCode(() -> migrationOfNothing().atStart(new StartupEvent()))
                .as("Flyway is not asked")
                .doesNotThrowAnyException();
    }

    @Test
    void historyOfVersionsThatKnewTheFolderIsCompleteAsWell() throws Exception {
        // Given
        migration().atStart(new StartupEvent());
        database.execute("UPDATE flyway_schema_history SET script = 'db/migration/' || script");

        // When
        boolean complete = new SchemaHistory(database.dataSource()).isComplete();

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
        migration().atStart(new StartupEvent());
        database.execute(change);

        // When
        boolean complete = new SchemaHistory(database.dataSource()).isComplete();

        // Then
        assertThat(complete).isFalse();
        assertThatThrownBy(() -> migrationOfNothing().atStart(new StartupEvent()))
                .isInstanceOf(FlywayException.class);
    }

    /** The list of scripts is the one that Flyway would find. */
    @Test
    void flywayFindsNothingMoreInTheFolder() throws Exception {
        // Given
        migration().atStart(new StartupEvent());

        // When
        int applied = Flyway.configure()
                .dataSource(database.dataSource())
                .locations("classpath:db/migration")
                .load()
                .migrate()
                .migrationsExecuted;

        // Then
        assertThat(applied).isZero();
    }

    private Migration migration() {
        return migration(database.connections(SETTINGS));
    }

    /** Fails if Flyway is called. */
    private Migration migrationOfNothing() {
        return migration(EmptyDatabase.connections(SETTINGS, "jdbc:nothing"));
    }

    private Migration migration(MigrationConnections connections) {
        return new Migration(
                () -> EmptyDatabase.flyway(connections, "classpath:" + MigrationScripts.FOLDER),
                new SchemaHistory(database.dataSource()),
                SETTINGS);
    }
}
