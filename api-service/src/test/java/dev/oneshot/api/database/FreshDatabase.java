package dev.oneshot.api.database;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalPropertiesReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.flywaydb.core.Flyway;

/** A database of its own, with all migrations, in the PostgreSQL server that these tests share. */
public final class FreshDatabase {

    private static final LocalPostgres SERVER = TemporaryBackends.postgres();
    private static final int CONNECTIONS = 12;

    private final String url;
    private final Database database;

    private FreshDatabase(String url) {
        this.url = url;
        this.database = new Database(dataSource(url), new Patience());
    }

    /** A new database. */
    public static FreshDatabase create() {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        String url = SERVER.jdbcUrl().replaceFirst("/[a-z]+$", "/" + name);
        try (Connection connection =
                        DriverManager.getConnection(SERVER.jdbcUrl(), SERVER.username(), SERVER.password());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create a database", e);
        }
        Flyway.configure()
                .dataSource(url, SERVER.username(), SERVER.password())
                .locations("db/migration")
                // Its lock would be in a transaction that indexes being made concurrently wait for.
                .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
                .load()
                .migrate();
        return new FreshDatabase(url);
    }

    /** The way to it. */
    public Database database() {
        return database;
    }

    /** A connection of one's own. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, SERVER.username(), SERVER.password());
    }

    /** Runs a statement that answers nothing. */
    public void execute(String sql, Object... parameters) {
        database.statement(connection -> {
            try (var statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(i + 1, parameters[i]);
                }
                return statement.execute();
            }
        });
    }

    /** Runs a query for one number. */
    public long number(String sql, Object... parameters) {
        return database.statement(connection -> {
            try (var statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(i + 1, parameters[i]);
                }
                try (var result = statement.executeQuery()) {
                    result.next();
                    return result.getLong(1);
                }
            }
        });
    }

    private static AgroalDataSource dataSource(String url) {
        Map<String, String> properties = Map.of(
                AgroalPropertiesReader.JDBC_URL,
                url,
                AgroalPropertiesReader.PRINCIPAL,
                SERVER.username(),
                AgroalPropertiesReader.CREDENTIAL,
                SERVER.password(),
                AgroalPropertiesReader.MAX_SIZE,
                String.valueOf(CONNECTIONS),
                AgroalPropertiesReader.VALIDATE_ON_BORROW,
                "true",
                AgroalPropertiesReader.CONNECTION_VALIDATOR,
                "default");
        try {
            return AgroalDataSource.from(new AgroalPropertiesReader().readProperties(properties));
        } catch (SQLException e) {
            throw new IllegalStateException("cannot open a pool", e);
        }
    }

    private record Patience() implements DatabaseConfig {
        @Override
        public Duration retryAfter() {
            return Duration.ofSeconds(2);
        }

        @Override
        public int attempts() {
            return 3;
        }
    }
}
