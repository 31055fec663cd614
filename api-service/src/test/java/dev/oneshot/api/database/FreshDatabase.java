package dev.oneshot.api.database;

import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.testing.Sql;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;

/** A new database with all migrations, in the PostgreSQL server that these tests share. */
public final class FreshDatabase {

    /** The server, which nothing stops before the end of the tests. */
    public static final LocalPostgres SERVER = TemporaryBackends.postgres();

    private static final int CONNECTIONS = 12;
    // Keeps the transaction manager from writing a folder ObjectStore.
    static {
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
    }

    private static final TransactionManager TRANSACTIONS = com.arjuna.ats.jta.TransactionManager.transactionManager();
    private static final TransactionSynchronizationRegistry REGISTRY = new TransactionSynchronizationRegistryImple();

    private final Sql sql;
    private final Database database;

    private FreshDatabase(String name) {
        this.sql = new Sql(SERVER.source(name));
        this.database = new Database(pool(urlOf(name)), REGISTRY);
    }

    /** Migrated once, as PostgreSQL copies a database sooner than Flyway migrates one. */
    private static final class Migrated {

        private static final String NAME = name();

        private static String name() {
            String name = "migrated";
            onServer("CREATE DATABASE " + name);
            Flyway.configure()
                    .dataSource(SERVER.source(name))
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
        return new FreshDatabase(name);
    }

    /** Runs a statement of the server's owner, outside of these databases. */
    public static void onServer(String sql) {
        new Sql(SERVER.source(LocalPostgres.NAME)).execute(sql);
    }

    /** The URL of a database of the server. */
    public static String urlOf(String name) {
        return SERVER.jdbcUrl().replaceFirst("/[a-z]+$", "/" + name);
    }

    /** Its data source. */
    public Database database() {
        return database;
    }

    /** A new account of the plan scale. */
    public UUID account() {
        UUID id = UUID.randomUUID();
        execute(
                "INSERT INTO account (id, name, plan, api_key_sha256, created_at) VALUES (?, 'a', 'scale', '', now())",
                id);
        return id;
    }

    /** The database outside of the pool and its transactions. */
    public Sql sql() {
        return sql;
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

    private static AgroalDataSource pool(String url) {
        AgroalDataSourceConfigurationSupplier configuration = new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(CONNECTIONS)
                        .validateOnBorrow(true)
                        .connectionValidator(ConnectionValidator.defaultValidator())
                        .transactionIntegration(new NarayanaTransactionIntegration(TRANSACTIONS, REGISTRY))
                        .connectionFactoryConfiguration(server -> server.jdbcUrl(url)
                                .principal(new NamePrincipal(SERVER.username()))
                                .credential(new SimplePassword(SERVER.password()))));
        try {
            return AgroalDataSource.from(configuration);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot open a pool", e);
        }
    }
}
