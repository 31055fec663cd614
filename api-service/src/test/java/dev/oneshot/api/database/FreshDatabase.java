package dev.oneshot.api.database;

import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.configuration.supplier.AgroalPropertiesReader;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;

/** A new database with all migrations, in the PostgreSQL server that these tests share. */
public final class FreshDatabase {

    private static final LocalPostgres SERVER = TemporaryBackends.postgres();
    private static final int CONNECTIONS = 12;
    // Otherwise the transaction manager would write a folder ObjectStore.
    static {
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
    }

    private static final TransactionManager TRANSACTIONS = com.arjuna.ats.jta.TransactionManager.transactionManager();
    private static final TransactionSynchronizationRegistry REGISTRY = new TransactionSynchronizationRegistryImple();

    private final String url;
    private final Database database;

    private FreshDatabase(String url) {
        this.url = url;
        this.database = new Database(dataSource(url), REGISTRY);
    }

    /** Migrated once, as PostgreSQL copies a database sooner than Flyway migrates one. */
    private static final class Migrated {

        private static final String NAME = name();

        private static String name() {
            String name = "migrated";
            onServer("CREATE DATABASE " + name);
            Flyway.configure()
                    .dataSource(urlOf(name), SERVER.username(), SERVER.password())
                    .locations("db/migration")
                    // The lock must not be in a transaction: CREATE INDEX CONCURRENTLY would wait for it.
                    .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
                    .load()
                    .migrate();
            return name;
        }
    }

    /** A new database. */
    public static FreshDatabase create() {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        onServer("CREATE DATABASE " + name + " TEMPLATE " + Migrated.NAME);
        return new FreshDatabase(urlOf(name));
    }

    /** The server, in which other tests may create databases. */
    public static LocalPostgres server() {
        return SERVER;
    }

    /** Runs a statement of the server's owner, outside of these databases. */
    public static void onServer(String sql) {
        try (Connection connection =
                        DriverManager.getConnection(SERVER.jdbcUrl(), SERVER.username(), SERVER.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The URL of a database of the server. */
    public static String urlOf(String name) {
        return SERVER.jdbcUrl().replaceFirst("/[a-z]+$", "/" + name);
    }

    /** Its data source. */
    public Database database() {
        return database;
    }

    /** A new connection. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, SERVER.username(), SERVER.password());
    }

    /** Runs an action in a transaction, as {@code @Transactional} does. */
    public <T> T transaction(Supplier<T> body) {
        return database.attempt(() -> {
            TRANSACTIONS.begin();
            T result;
            try {
                result = body.get();
            } catch (Throwable e) {
                TRANSACTIONS.rollback();
                throw e;
            }
            TRANSACTIONS.commit();
            return result;
        });
    }

    /** Runs a statement and ignores its result. */
    public void execute(String sql, Object... parameters) {
        database.updateAll(sql, List.of(sql), _ -> parameters);
    }

    /** Runs a query for one number. */
    public long number(String sql, Object... parameters) {
        return database.row(sql, row -> row.getLong(1), parameters).orElseThrow();
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
            AgroalDataSourceConfigurationSupplier configuration =
                    new AgroalPropertiesReader().readProperties(properties).modify();
            configuration
                    .connectionPoolConfiguration()
                    .transactionIntegration(new NarayanaTransactionIntegration(TRANSACTIONS, REGISTRY));
            return AgroalDataSource.from(configuration);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot open a pool", e);
        }
    }
}
