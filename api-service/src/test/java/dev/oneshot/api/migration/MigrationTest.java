package dev.oneshot.api.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.testing.Sql;
import dev.oneshot.testing.TestSettings;
import dev.oneshot.testing.Together;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Migrations during the work of a service, each on a new database. */
class MigrationTest {

    private static final String WAITING_FOR_A_LOCK =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND application_name = 'oneshot-migration' AND wait_event_type = 'Lock'";

    private static final Migration.Config PATIENT = patience("PT1S", "PT30S");

    @TempDir
    private Path migrations;

    private final String name = "m" + UUID.randomUUID().toString().replace("-", "");
    private final Sql database = new Sql(FreshDatabase.SERVER.source(name));

    @BeforeEach
    void createDatabase() {
        FreshDatabase.onServer("CREATE DATABASE " + name);
    }

    @Test
    void statementThatTheServicesWouldBreakOffIsFinished() throws Exception {
        // Given
        database.execute("ALTER DATABASE " + name + " SET statement_timeout = '300ms'");
        String slow = "SELECT pg_sleep(1)";
        assertThatThrownBy(() -> database.execute(slow)).hasStackTraceContaining("statement timeout");
        write("V1__slow.sql", slow + "; CREATE TABLE done (id int)");

        // When
        migrate(PATIENT);

        // Then
        assertThat(database.number("SELECT count(*) FROM done")).isZero();
    }

    /** Without a lock timeout, the reader would queue behind the migration until the earlier transaction ends. */
    @Test
    void readersPassAMigrationThatWaitsForALock() throws Exception {
        // Given
        haveTable();
        write("V2__column.sql", "ALTER TABLE busy ADD COLUMN name text");
        try (ExecutorService thread = Executors.newSingleThreadExecutor();
                Connection before = database.begin("SELECT count(*) FROM busy")) {
            // When
            Future<?> migrated = thread.submit(() -> {
                migrate(patience("PT0.3S", "PT5M"));
                return null;
            });
            await().until(() -> database.number(WAITING_FOR_A_LOCK) == 1);
            database.execute("SET statement_timeout = '30s'; SELECT count(*) FROM busy");

            // Then
            assertThat(migrated).isNotDone();
            before.rollback();
            migrated.get(3, TimeUnit.MINUTES);
        }
        assertThat(database.number("SELECT count(name) FROM busy")).isZero();
    }

    @Test
    void migrationGivesUpWithNothingDoneWhenTheLockIsNeverGiven() throws Exception {
        // Given
        haveTable();
        write("V2__first.sql", "CREATE TABLE first (id int)");
        write("V3__column.sql", "CREATE TABLE second (id int); ALTER TABLE busy ADD COLUMN name text");
        try (Connection _ = database.begin("SELECT count(*) FROM busy")) {
            // When
            Migration.Config impatient = patience("PT0.05S", "PT1S");

            // Then
            assertThatThrownBy(() -> migrate(impatient))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("oneshot.migration.lock-patience=PT1S");
        }
        assertThat(database.number("SELECT count(*) FROM pg_tables WHERE tablename = 'first'"))
                .isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM pg_tables WHERE tablename = 'second'"))
                .isZero();
    }

    /** Flyway's own transaction, kept open as a lock against other migrations, would block without end. */
    @Test
    void indexIsBuiltWhileOthersWrite() throws Exception {
        // Given
        haveTable();
        write("V2__index.sql", "SET lock_timeout = 0; CREATE INDEX CONCURRENTLY busy_by_id ON busy (id)");
        write("V2__index.sql.conf", "executeInTransaction=false");
        write(
                "beforeEachMigrate.sql",
                Files.readString(Path.of("../contracts/src/main/resources/db/migration/beforeEachMigrate.sql")));
        write("V3__after.sql", "CREATE TABLE after AS SELECT 1 WHERE current_setting('lock_timeout') = '1s'");

        // When
        migrate(PATIENT);

        // Then
        assertThat(database.number(
                        "SELECT count(*) FROM pg_index WHERE indexrelid = 'busy_by_id'::regclass AND indisvalid"))
                .isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM after"))
                .as("the next migration does not wait for a lock without end")
                .isEqualTo(1);
    }

    /** The commands in docs/operations.md. */
    @Test
    void indexThatFailedIsBuiltAfterARepair() throws Exception {
        // Given
        haveTable();
        database.execute("INSERT INTO busy VALUES (1), (1)");
        write("V2__index.sql", "CREATE UNIQUE INDEX CONCURRENTLY busy_by_id ON busy (id)");
        write("V2__index.sql.conf", "executeInTransaction=false");
        assertThatThrownBy(() -> migrate(PATIENT)).hasMessageContaining("busy_by_id");
        assertThatThrownBy(() -> migrate(PATIENT)).hasMessageContaining("Detected failed migration to version 2");
        database.execute("DELETE FROM busy");

        // When
        database.execute("DROP INDEX CONCURRENTLY IF EXISTS busy_by_id");
        database.execute("DELETE FROM flyway_schema_history WHERE NOT success");
        migrate(PATIENT);

        // Then
        assertThat(database.number(
                        "SELECT count(*) FROM pg_index WHERE indexrelid = 'busy_by_id'::regclass AND indisvalid"))
                .isEqualTo(1);
    }

    @Test
    void twoThatMigrateAtOnceBothEndWithEverythingDoneOnce() throws Exception {
        // Given
        write("V1__slow.sql", "SELECT pg_sleep(1); CREATE TABLE once (id int)");

        // When
        Together.times(2, () -> {
            migrate(patience("PT1S", "PT1M"));
            return "done";
        });

        // Then
        assertThat(database.number("SELECT count(*) FROM flyway_schema_history WHERE version = '1'"))
                .isEqualTo(1);
    }

    /** Without the check, Flyway counts its migrations as done. */
    @Test
    void databaseOfABuildBeforeTheFirstReleaseIsRefusedInOneLine() throws Exception {
        // Given
        write("V1__accounts_addresses_mail.sql", "CREATE TABLE account (id int); CREATE TABLE address (id int)");
        write("V2__expiry_role.sql", "SELECT 1");
        migrate(PATIENT);
        Files.delete(migrations.resolve("V1__accounts_addresses_mail.sql"));
        write("V1__accounts.sql", "CREATE TABLE account (id int)");

        // When, then
        assertThatThrownBy(() -> migrate(PATIENT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the database has the tables of a build before 1.0.0, which cannot be migrated: use a new"
                        + " database; for one of ./oneshot, remove the folder .oneshot");
    }

    @Test
    void failureThatIsNoLockIsNotRepeated() throws Exception {
        write("V1__wrong.sql", "SELECT nothing FROM nowhere");
        assertThatThrownBy(() -> migrate(patience("PT1M", "P1D")))
                .isInstanceOf(FlywayException.class)
                .hasMessageContaining("nowhere");
    }

    /** Flyway alone would retry for half an hour; Helm does not wait that long. */
    @ParameterizedTest
    @CsvSource({
        "'', not the password, password authentication failed for user, ONESHOT_DATABASE_PASSWORD",
        "x, not-a-secret, does not exist, ONESHOT_DATABASE_URL"
    })
    void rejectionByTheDatabaseStopsTheStartAtOnce(String suffix, String password, String reason, String variable) {
        FluentConfiguration wrong = flyway(FreshDatabase.urlOf(name + suffix), password);

        assertThatThrownBy(() -> migrate(PATIENT, wrong))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(reason, variable);
    }

    @Test
    void databaseThatTakesNoConnectionsYetIsWaitedFor() throws Exception {
        // Given
        write("V1__table.sql", "CREATE TABLE there (id int)");
        admit(false);
        FutureTask<Void> migrated = new FutureTask<>(() -> {
            migrate(PATIENT);
            return null;
        });
        Thread thread = Thread.ofPlatform().start(migrated);

        // When
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        admit(true);

        // Then
        migrated.get(3, TimeUnit.MINUTES);
        assertThat(database.number("SELECT count(*) FROM there")).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "lock-timeout, PT0S, PT0.001S, between PT0.001S and PT1M",
        "lock-timeout, PT1M0.001S, PT1M, between PT0.001S and PT1M",
        "lock-patience, PT0.999S, PT1S, between PT1S and PT24H",
        "lock-patience, PT24H0.001S, PT24H, between PT1S and PT24H"
    })
    void valueAtABoundIsTakenAndOneBeyondItIsRefusedByName(String key, String beyond, String at, String bounds) {
        assertThatThrownBy(() -> migration(TestSettings.of(Migration.Config.class, key + "=" + beyond)))
                .hasMessageContaining("oneshot.migration." + key + " must be " + bounds);
        assertThatCode(() -> migration(TestSettings.of(Migration.Config.class, key + "=" + at)))
                .doesNotThrowAnyException();
    }

    private static Migration.Config patience(String lockTimeout, String lockPatience) {
        return TestSettings.of(Migration.Config.class, "lock-timeout=" + lockTimeout, "lock-patience=" + lockPatience);
    }

    private void haveTable() throws Exception {
        write("V1__busy.sql", "CREATE TABLE busy (id int)");
        migrate(PATIENT);
    }

    private void migrate(Migration.Config settings) throws InterruptedException {
        migrate(settings, flyway(FreshDatabase.urlOf(name), FreshDatabase.SERVER.password()));
    }

    private void migrate(Migration.Config settings, FluentConfiguration flyway) throws InterruptedException {
        Migration migration = migration(settings);
        migration.customize(flyway.locations("filesystem:" + migrations));
        migration.migrate(flyway.load());
    }

    /** Flyway as Quarkus configures it, before {@link Migration} does. */
    private FluentConfiguration flyway(String url, String password) {
        return Flyway.configure().dataSource(url, FreshDatabase.SERVER.username(), password);
    }

    private static Migration migration(Migration.Config settings) {
        return new Migration(
                () -> {
                    throw new AssertionError("not at a start");
                },
                settings);
    }

    /** Allows or forbids connections from now on. */
    private void admit(boolean all) {
        FreshDatabase.onServer("ALTER DATABASE " + name + " ALLOW_CONNECTIONS " + all);
    }

    private void write(String file, String content) throws IOException {
        Files.writeString(migrations.resolve(file), content);
    }
}
