package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.bench.Load;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;

/** Statements of benchmarks. */
public final class Statements {

    private Statements() {}

    /** Repeats a statement with other values each time; if it finds or changes no row, the measurement fails. */
    public static Load<Connection> load(
            int connections, LocalPostgres database, String sql, Supplier<Object[]> values) {
        return new Load<>(connections, database::connect, connection -> {
            try (PreparedStatement statement = prepare(connection, sql, values.get())) {
                if (statement.execute() ? !statement.getResultSet().next() : statement.getUpdateCount() == 0) {
                    throw new IllegalStateException("no effect: " + sql);
                }
                return true;
            }
        });
    }

    /** Executes a statement; returns the number of changed rows. */
    public static int execute(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, values)) {
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }

    /** Returns the number in the first column of the first row. */
    public static long number(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /**
     * Waits until a query returns at most this number.
     *
     * @throws IllegalStateException after the timeout
     */
    public static void awaitAtMost(long most, Connection connection, String sql, Duration interval, Duration timeout)
            throws Exception {
        Load.await(() -> number(connection, sql) <= most, interval, timeout, () -> "more than " + most + ": " + sql);
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
