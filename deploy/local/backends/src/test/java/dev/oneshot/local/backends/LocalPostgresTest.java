package dev.oneshot.local.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.testing.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPostgresTest {

    @TempDir
    Path directory;

    @Test
    void aRestartKeepsDataPortAndPassword() {
        LocalPostgres.Settings settings = settings("with space");
        try (LocalPostgres first = LocalPostgres.start(settings)) {
            sql(first).execute("CREATE TABLE kept AS SELECT 42 AS answer");
        }

        try (LocalPostgres second = LocalPostgres.start(settings)) {
            assertThat(sql(second).number("SELECT answer FROM kept")).isEqualTo(42);
            assertThat(sql(second).texts("SHOW server_version").getFirst()).startsWith("18.");
            assertThat(sql(second).number("SHOW max_connections")).isEqualTo(200);
        }
    }

    @Test
    void serverWhosePidFileIsGoneStops() throws Exception {
        LocalPostgres postgres = LocalPostgres.start(settings("removed"));
        ProcessHandle process = postgres.process().orElseThrow();
        Files.delete(directory.resolve("removed/data/postmaster.pid"));

        postgres.close();

        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void aUserLogsInWithThePasswordThatWasSetLastAndWithNoOther() throws SQLException {
        try (LocalPostgres postgres = LocalPostgres.start(settings("user"))) {
            postgres.ensureUser("a user", "old");

            postgres.ensureUser("a user", "it's new");

            try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl(), "a user", "it's new")) {
                assertThat(connection.getMetaData().getUserName()).isEqualTo("a user");
            }
            assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl(), "a user", "old"))
                    .hasMessageContaining("password authentication failed");
            assertThat(
                            sql(postgres)
                                    .texts(
                                            "SELECT rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = 'a user'"))
                    .containsExactly("f");
        }
    }

    @Test
    void aStalePidFileWithAReusedNumberDoesNotMatter() throws Exception {
        LocalPostgres.Settings settings = settings("stale");
        LocalPostgres.start(settings).close();
        String ofAnother = ProcessHandle.current().pid() + "\n/elsewhere\n";
        Files.writeString(settings.directory().resolve("data/postmaster.pid"), ofAnother);

        try (LocalPostgres again = LocalPostgres.start(settings)) {
            assertThat(sql(again).number("SELECT 1")).isEqualTo(1);
        }
    }

    @Test
    void aServerLeftBehindByAKilledJvmIsReplaced() {
        LocalPostgres.Settings settings = settings("left behind");
        LocalPostgres left = LocalPostgres.start(settings);
        sql(left).execute("CREATE TABLE kept AS SELECT 42 AS answer");
        ProcessHandle leftBehind = left.process().orElseThrow();

        try (LocalPostgres again = LocalPostgres.start(settings)) {
            assertThat(leftBehind.isAlive()).isFalse();
            assertThat(sql(again).number("SELECT answer FROM kept")).isEqualTo(42);
        }
    }

    @Test
    void aStandbyThatIsPromotedHasWhatTheKilledPrimaryCommitted() {
        try (LocalPostgres primary = LocalPostgres.start(settings("primary"));
                LocalPostgres standby = LocalPostgres.startStandby(settings("standby"), primary)) {
            sql(primary).execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
            sql(primary).texts("SELECT pg_reload_conf()");
            await().until(() ->
                    sql(primary).texts("SHOW synchronous_standby_names").contains("*"));
            sql(primary).execute("CREATE TABLE kept AS SELECT 42 AS answer");
            assertThatThrownBy(() -> sql(standby).execute("DELETE FROM kept")).hasStackTraceContaining("read-only");

            primary.kill();
            sql(standby).texts("SELECT pg_promote()");

            assertThat(sql(standby).number("SELECT answer FROM kept")).isEqualTo(42);
            sql(standby).execute("DELETE FROM kept");
        }
    }

    private LocalPostgres.Settings settings(String name) {
        return new LocalPostgres.Settings(
                directory.resolve(name), TemporaryBackends.installations(), LoopbackPorts.free(), "p'q", false);
    }

    private static Sql sql(LocalPostgres postgres) {
        return new Sql(postgres.source(LocalPostgres.NAME));
    }
}
