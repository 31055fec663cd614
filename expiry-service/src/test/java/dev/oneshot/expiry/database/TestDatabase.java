package dev.oneshot.expiry.database;

import dev.oneshot.local.backends.quarkus.PostgresResource;
import dev.oneshot.testing.Sql;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;

/** A new database on the server that all tests share, as a sweep deletes all expired rows of its database. */
public final class TestDatabase extends Sql {

    /** The role of this service, and its password in tests. */
    public static final String ROLE = "oneshot_expiry";

    public static final String ROLE_PASSWORD = "not-a-secret-either";

    /** A role that does not exist. */
    public static final String UNKNOWN_ROLE = "unknown_role";

    private static final UUID ACCOUNT = UUID.fromString("00000000-0000-4000-8000-000000000001");

    private final String url;

    /** Statements are executed as the owner, as by api-service. */
    private TestDatabase(String url, Map<String, String> server) {
        super(dataSource(
                url, setting(server, "oneshot.database.username"), setting(server, "oneshot.database.password")));
        this.url = url;
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
        migrate("latest");
        execute("ALTER ROLE " + ROLE + " PASSWORD '" + ROLE_PASSWORD + "'");
        execute("INSERT INTO account (id, name, plan, api_key_sha256, created_at) VALUES ('" + ACCOUNT
                + "', 'test', 'scale', '', now())");
    }

    /** Migrates it up to a version, without the password of the service's role. */
    public void migrate(String version) {
        Flyway.configure()
                .dataSource(source())
                // The lock must not be in a transaction: CREATE INDEX CONCURRENTLY would wait for it.
                .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
                .target(version)
                .load()
                .migrate();
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
        return dataSource(url, ROLE, ROLE_PASSWORD);
    }

    /** Connections that the server rejects. */
    public DataSource asUnknownRole() {
        return dataSource(url, UNKNOWN_ROLE, ROLE_PASSWORD);
    }

    /** The result of a query for one text. */
    public String text(String sql) {
        return texts(sql).getFirst();
    }

    /**
     * Inserts addresses, with their mail in its partition if {@code received}.
     *
     * @param prefix of their ids, to tell them apart
     * @param expiresIn an SQL interval from now, negative for the past
     */
    public void insertAddresses(String prefix, int count, String expiresIn, boolean received) {
        String mailColumns = received ? "'a@example.org', 'Subject', now(), 20, 0" : "NULL, NULL, NULL, NULL, NULL";
        // In one transaction, as a service on this database drops a partition whose hour is over. The statistics count
        // this session's work before the next one looks.
        execute("""
            SELECT create_mail_partitions(now() + interval '%1$s', now() + interval '%1$s');
            WITH inserted AS (
                INSERT INTO address (id, account_id, mode, status, created_at, expires_at, mail_from, mail_subject,
                    mail_received_at, mail_size_bytes, mail_attachment_count)
                SELECT '%2$s' || lpad(n::text, 24 - length('%2$s'), '0'), '%3$s', 'receive', '%4$s',
                    now() - interval '1 day', now() + interval '%1$s', %5$s
                FROM generate_series(1, %6$d) AS n
                RETURNING id, expires_at, status)
            INSERT INTO mail (address_id, expires_at, piece, content)
            SELECT id, expires_at, 0, 'Subject: Subject' FROM inserted WHERE status = 'received';
            SELECT pg_stat_force_next_flush()\
            """.formatted(expiresIn, prefix, ACCOUNT, received ? "received" : "waiting", mailColumns, count));
    }

    private static String setting(Map<String, String> server, String key) {
        return Objects.requireNonNull(server.get(key), key);
    }

    private static DataSource dataSource(String url, String user, String password) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        return source;
    }
}
