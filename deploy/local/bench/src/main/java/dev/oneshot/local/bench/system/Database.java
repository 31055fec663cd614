package dev.oneshot.local.bench.system;

import dev.oneshot.local.bench.Load;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Statements through JDBC, without any service. */
public final class Database {

    private Database() {}

    /** Uses a prepared statement once; returns whether it had the expected effect. */
    @FunctionalInterface
    public interface Step {
        boolean on(PreparedStatement statement) throws SQLException;
    }

    /** A worker with its own connection and one prepared statement; a step without effect ends the measurement. */
    public static Load.Worker worker(BenchStack stack, String sql, Step step) throws SQLException {
        Connection connection = stack.connect();
        PreparedStatement statement = connection.prepareStatement(sql);
        return new Load.Worker() {
            @Override
            public boolean once() throws SQLException {
                if (!step.on(statement)) {
                    throw new IllegalStateException("no effect: " + sql);
                }
                return true;
            }

            @Override
            public void close() throws SQLException {
                connection.close();
            }
        };
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

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
