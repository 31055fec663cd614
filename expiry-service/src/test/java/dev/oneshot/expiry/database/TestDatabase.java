package dev.oneshot.expiry.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.backends.quarkus.PostgresResource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;

/** A new database on the server that all tests share, as a sweep deletes all expired rows of its database. */
public final class TestDatabase {

    /** The role of this service, and its password in tests. */
    public static final String ROLE = "oneshot_expiry";

    public static final String ROLE_PASSWORD = "not-a-secret-either";

    /** A role that does not exist. */
    public static final String UNKNOWN_ROLE = "unknown_role";

    private static final UUID ACCOUNT = UUID.fromString("00000000-0000-4000-8000-000000000001");

    private final String url;
    private final String ownerName;
    private final String ownerPassword;

    private TestDatabase(String url, Map<String, String> server) {
        this.url = url;
        this.ownerName = setting(server, "oneshot.database.username");
        this.ownerPassword = setting(server, "oneshot.database.password");
    }

    /** Migrated once, as PostgreSQL copies a database sooner than Flyway migrates one. */
    private static final class Migrated {

        private static final String NAME = name();

        private static String name() {
            TestDatabase database = empty();
            database.migrate();
            return database.text("SELECT current_database()");
        }
    }

    /** Creates a migrated database with one account. */
    public static TestDatabase create() {
        return create("TEMPLATE " + Migrated.NAME);
    }

    /** Creates an empty database. */
    public static TestDatabase empty() {
        return create("");
    }

    private static TestDatabase create(String options) {
        Map<String, String> server = new PostgresResource().start();
        String serverUrl = setting(server, "oneshot.database.url");
        String name = "expiry_" + UUID.randomUUID().toString().replace("-", "");
        new TestDatabase(serverUrl, server).execute("CREATE DATABASE " + name + " " + options);
        return new TestDatabase(serverUrl.substring(0, serverUrl.lastIndexOf('/') + 1) + name, server);
    }

    /** Migrates it as api-service does, and creates one account. */
    public void migrate() {
        Flyway.configure()
                .dataSource(asOwner())
                // The lock must not be in a transaction: CREATE INDEX CONCURRENTLY would wait for it.
                .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
                .load()
                .migrate();
        execute("ALTER ROLE " + ROLE + " PASSWORD '" + ROLE_PASSWORD + "'");
        execute("INSERT INTO account (id, name, plan, api_key_sha256, created_at) VALUES ('" + ACCOUNT
                + "', 'test', 'scale', '', now())");
    }

    /** An existing database on the server that all tests share. */
    public static TestDatabase at(String url) {
        return new TestDatabase(url, new PostgresResource().start());
    }

    /** The settings with which the service finds it. */
    public Map<String, String> configuration() {
        return Map.of(
                "oneshot.database.url", url,
                "oneshot.database.username", ROLE,
                "oneshot.database.password", ROLE_PASSWORD);
    }

    /** Connections of the service's role. */
    public DataSource asService() {
        return dataSource(ROLE, ROLE_PASSWORD);
    }

    /** Connections that the server rejects. */
    public DataSource asUnknownRole() {
        return dataSource(UNKNOWN_ROLE, ROLE_PASSWORD);
    }

    /** Connections of the owner, as api-service has them. */
    public DataSource asOwner() {
        return dataSource(ownerName, ownerPassword);
    }

    /** Executes a statement as the owner and commits. */
    public void execute(String sql) {
        try (Connection connection = asOwner().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Executes a statement on a connection, and reads its rows if there are any. */
    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        assertThat(rows.getMetaData().getColumnCount()).isPositive();
                    }
                }
            }
        }
    }

    /** A transaction of the owner that has executed a statement. It ends when it is closed. */
    public Connection transaction(String sql) throws SQLException {
        Connection connection = asOwner().getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        return connection;
    }

    /** The result of a query for one number. */
    public long number(String sql) {
        return Long.parseLong(text(sql));
    }

    /** The result of a query for one text. */
    public String text(String sql) {
        return rows(sql).getFirst();
    }

    /** The first column of a query's result. */
    public List<String> rows(String sql) {
        try (Connection connection = asOwner().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /**
     * Inserts addresses, with their mail in its partition if {@code received}.
     *
     * @param prefix of their ids, to tell them apart
     * @param expiresIn an SQL interval from now, negative for the past
     */
    public void insertAddresses(String prefix, int count, String expiresIn, boolean received) {
        String mailColumns = received ? "'a@example.org', 'Subject', now(), 20, 0" : "NULL, NULL, NULL, NULL, NULL";
        String sql = """
            WITH inserted AS (
                INSERT INTO address (id, account_id, mode, status, created_at, expires_at, mail_from, mail_subject,
                    mail_received_at, mail_size_bytes, mail_attachment_count)
                SELECT ? || lpad(n::text, 24 - length(?), '0'), ?, 'receive', ?, now() - interval '1 day',
                    now() + ?::interval, %s
                FROM generate_series(1, ?) AS n
                RETURNING id, expires_at, status)
            INSERT INTO mail (address_id, expires_at, structure, raw)
            SELECT id, expires_at, '', 'Subject: Subject' FROM inserted WHERE status = 'received'\
            """.formatted(mailColumns);
        try (Connection connection = asOwner().getConnection();
                Statement other = connection.createStatement();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            // In one transaction, as a service on this database drops a partition whose hour is over.
            connection.setAutoCommit(false);
            other.execute("SELECT create_mail_partitions(now() + interval '%1$s', now() + interval '%1$s')"
                    .formatted(expiresIn));
            statement.setString(1, prefix);
            statement.setString(2, prefix);
            statement.setObject(3, ACCOUNT);
            statement.setString(4, received ? "received" : "waiting");
            statement.setString(5, expiresIn);
            statement.setInt(6, count);
            statement.executeUpdate();
            // The statistics count this session's work before the next one looks.
            other.execute("SELECT pg_stat_force_next_flush()");
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot insert addresses", e);
        }
    }

    private static String setting(Map<String, String> server, String key) {
        return Objects.requireNonNull(server.get(key), key);
    }

    private DataSource dataSource(String user, String password) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        return source;
    }
}
