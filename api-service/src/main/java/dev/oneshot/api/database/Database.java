package dev.oneshot.api.database;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.event.Octets;
import io.agroal.api.AgroalDataSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * Runs statements, repeats those that lost a race, and translates failures. Blocking: call it on a virtual
 * thread, never on an event loop.
 *
 * <p>Failures are either {@link DatabaseUnavailableException}, for which the client may try again, or
 * {@link DatabaseFaultException}, which is a bug or a record that cannot be stored.
 */
@ApplicationScoped
public class Database {

    private static final Pattern UNAVAILABLE = Pattern.compile("(08|53|57|58)...|25006|55P03");

    /** The Retry-After when the database is unavailable. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    /** How often work that lost against a concurrent transaction is tried in all. */
    private static final int ATTEMPTS_MAX = 3;

    private final AgroalDataSource dataSource;
    private final TransactionSynchronizationRegistry transactions;

    Database(AgroalDataSource dataSource, TransactionSynchronizationRegistry transactions) {
        this.dataSource = dataSource;
        this.transactions = transactions;
    }

    private interface Work<T> {
        T run(Connection connection) throws SQLException, IOException;
    }

    /** A part of the current transaction; without one, a transaction of its own. */
    private <T> T statement(Work<T> work) {
        return attempt(() -> {
            try (Connection connection = dataSource.getConnection()) {
                return work.run(connection);
            }
        });
    }

    /** Reads a row of a result. */
    @FunctionalInterface
    public interface Row<T> {
        /** Reads the row that the result is at. */
        T read(ResultSet result) throws SQLException;
    }

    /**
     * The rows that a statement returns. It is a part of the current transaction; without one, it is its own.
     *
     * @param parameters an {@link Instant} for a {@code timestamptz}, a collection of strings for a {@code text[]},
     *     {@link Octets} for a {@code bytea}
     */
    public <T> List<T> rows(String sql, Row<T> row, @Nullable Object... parameters) {
        return statement(connection -> {
            try (PreparedStatement statement = prepare(connection, sql, parameters);
                    ResultSet result = statement.executeQuery()) {
                List<T> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(row.read(result));
                }
                return rows;
            }
        });
    }

    /** The first row that a statement returns, if there is one. */
    public <T> Optional<T> row(String sql, Row<T> row, @Nullable Object... parameters) {
        return rows(sql, row, parameters).stream().findFirst();
    }

    /** How many rows a statement changes. */
    public int update(String sql, @Nullable Object... parameters) {
        return statement(connection -> {
            try (PreparedStatement statement = prepare(connection, sql, parameters)) {
                return statement.executeUpdate();
            }
        });
    }

    /** Runs a statement once for each item, in one round trip. */
    public <T> void updateAll(String sql, Collection<T> items, Function<T, @Nullable Object[]> parameters) {
        statement(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (T item : items) {
                    bind(statement, parameters.apply(item));
                    statement.addBatch();
                }
                return statement.executeBatch();
            }
        });
    }

    /**
     * Inserts a row for each item with {@code COPY}. Within a transaction: many bytes take several statements.
     *
     * @param sql a {@code COPY … FROM STDIN (FORMAT binary)}
     * @param columns none null: an {@link Instant} for a {@code timestamptz}, an integer for an {@code int4}, a string for a {@code text}, {@link Octets} for a
     *     {@code bytea}
     */
    public <T> void copyAll(String sql, Collection<T> items, Function<T, Object[]> columns) {
        statement(connection -> {
            CopyManager server = new CopyManager(connection.unwrap(BaseConnection.class));
            Iterator<T> rest = items.iterator();
            while (rest.hasNext()) {
                BinaryCopy.copy(server, sql, rest, columns);
            }
            return items;
        });
    }

    private static PreparedStatement prepare(Connection connection, String sql, @Nullable Object[] parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        bind(statement, parameters);
        return statement;
    }

    private static void bind(PreparedStatement statement, @Nullable Object[] parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            switch (parameters[i]) {
                case null -> statement.setNull(i + 1, Types.NULL);
                case Instant instant -> statement.setObject(i + 1, instant.atOffset(ZoneOffset.UTC));
                case Collection<?> texts ->
                    statement.setArray(i + 1, statement.getConnection().createArrayOf("text", texts.toArray()));
                case Octets octets -> statement.setBinaryStream(i + 1, octets.stream(), octets.length());
                case Object value -> statement.setObject(i + 1, value);
            }
        }
    }

    /**
     * Runs a transaction or a single statement, with repetitions; within a transaction, once.
     *
     * @throws DatabaseUnavailableException if the database is down, full or too busy
     * @throws DatabaseFaultException if a statement or its data is at fault
     */
    <T> T attempt(Callable<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.call();
            } catch (Exception e) {
                SQLException sql = sqlFailure(e);
                boolean isRepeated = sql != null && isLostRace(sql) && attempt < ATTEMPTS_MAX && !isInTransaction();
                if (!isRepeated) {
                    throw translated(e, sql);
                }
            }
        }
    }

    private boolean isInTransaction() {
        return transactions.getTransactionStatus() != Status.STATUS_NO_TRANSACTION;
    }

    private RuntimeException translated(Exception failure, @Nullable SQLException sql) {
        if (failure instanceof ApiException || failure instanceof DatabaseFaultException) {
            return (RuntimeException) failure;
        }
        if (sql != null) {
            return isLostRace(sql) || isUnavailable(sql)
                    ? new DatabaseUnavailableException(RETRY_AFTER, sql)
                    : new DatabaseFaultException(sql);
        }
        return switch (failure) {
            // The commit failed.
            case RollbackException _, HeuristicRollbackException _, HeuristicMixedException _ ->
                new DatabaseUnavailableException(RETRY_AFTER, failure);
            case RuntimeException other -> other;
            case Exception other -> new IllegalStateException(other);
        };
    }

    /** The driver's or pool's exception in a failure of Hibernate, Flyway or the transaction manager; null if it has none. */
    public static @Nullable SQLException sqlFailure(@Nullable Throwable failure) {
        if (failure == null || failure instanceof SQLException) {
            return (SQLException) failure;
        }
        return Stream.concat(Stream.ofNullable(failure.getCause()), Stream.of(failure.getSuppressed()))
                .map(Database::sqlFailure)
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
    }

    /** serialization_failure, deadlock_detected. */
    private static boolean isLostRace(SQLException e) {
        return "40001".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
    }

    /**
     * Connection exceptions (08), insufficient resources (53), operator intervention (57, a statement timeout among
     * them), system errors (58), a primary that became a standby (25006), locks not available (55P03), and the pool's
     * own errors, which have no SQLSTATE.
     */
    private static boolean isUnavailable(SQLException e) {
        String state = e.getSQLState();
        return state == null
                || e instanceof SQLTransientConnectionException
                || UNAVAILABLE.matcher(state).matches();
    }
}
