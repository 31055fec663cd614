package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Statements through JDBC, without any service. */
public final class Database {

    private Database() {}

    /** Repeats a statement on connections of its own; a step without effect ends the measurement. */
    public static Load<Connection> load(
            int connections, LocalPostgres database, String sql, Operation<PreparedStatement> step) {
        return new Load<>(connections, database::connect, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                if (!step.once(statement)) {
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
    public static long number(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, values);
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
            throws SQLException {
        long begin = System.nanoTime();
        while (number(connection, sql) > most) {
            if (System.nanoTime() - begin > timeout.toNanos()) {
                throw new IllegalStateException("after " + timeout + " more than " + most + ": " + sql);
            }
            LockSupport.parkNanos(interval.toNanos());
        }
    }

    /** Sets the parameters of a statement. */
    public static void bind(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        bind(statement, values);
        return statement;
    }
}
