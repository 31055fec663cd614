package dev.oneshot.api.migration;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.local.backends.LocalPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.postgresql.ds.PGSimpleDataSource;

/** A new, empty database in the PostgreSQL server that these tests share. */
final class EmptyDatabase {

    private static final LocalPostgres SERVER = FreshDatabase.server();

    private final String name = "m" + UUID.randomUUID().toString().replace("-", "");
    private final String url = FreshDatabase.urlOf(name);
    private final PGSimpleDataSource dataSource = new PGSimpleDataSource();

    EmptyDatabase() {
        FreshDatabase.onServer("CREATE DATABASE " + name);
        dataSource.setURL(url);
        dataSource.setUser(SERVER.username());
        dataSource.setPassword(SERVER.password());
    }

    String name() {
        return name;
    }

    Connection connect() throws SQLException {
        return dataSource.getConnection();
    }

    /** Flyway as Quarkus configures it, before {@link Migration} does. */
    FluentConfiguration flyway() {
        return flyway(url, SERVER.password());
    }

    /** The same for another database or password. */
    static FluentConfiguration flyway(String url, String password) {
        return Flyway.configure().dataSource(url, SERVER.username(), password);
    }

    String url() {
        return url;
    }

    /** Allows or forbids connections from now on. */
    void admit(boolean all) {
        FreshDatabase.onServer("ALTER DATABASE " + name + " ALLOW_CONNECTIONS " + all);
    }

    static String password() {
        return SERVER.password();
    }

    /** Runs a statement without a result. */
    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
