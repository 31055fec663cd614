package dev.oneshot.api.migration;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.local.backends.LocalPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
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

    DataSource dataSource() {
        return dataSource;
    }

    Connection connect() throws SQLException {
        return dataSource.getConnection();
    }

    /** The connection settings of a migration. */
    MigrationConnections connections(MigrationConfig config) {
        return connections(config, url);
    }

    /** The same settings with another URL. */
    static MigrationConnections connections(MigrationConfig config, String url) {
        return connections(config, url, SERVER.username(), SERVER.password());
    }

    /** The same settings with another user. */
    static MigrationConnections connections(MigrationConfig config, String url, String username, String password) {
        return new MigrationConnections(config, url, username, password);
    }

    /** Flyway with these settings and the scripts of a location. */
    static Flyway flyway(MigrationConnections connections, String location) {
        FluentConfiguration configuration = Flyway.configure().locations(location);
        connections.customize(configuration);
        return configuration.load();
    }

    String url() {
        return url;
    }

    /** Allows or forbids connections from now on. */
    void admit(boolean all) {
        FreshDatabase.onServer("ALTER DATABASE " + name + " ALLOW_CONNECTIONS " + all);
    }

    static String owner() {
        return SERVER.username();
    }

    /** Runs a statement without a result. */
    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
