package dev.oneshot.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A database that a test reads and changes without the service. Each call has a connection of its own. */
public class Sql {

    private final DataSource source;

    public Sql(DataSource source) {
        this.source = source;
    }

    public final DataSource source() {
        return source;
    }

    /** Executes one or more statements. */
    public final void execute(String sql, Object... parameters) {
        var _ = texts(sql, parameters);
    }

    /** The first column of a query's result, or nothing if the statement is no query. */
    public final List<String> texts(String sql, Object... parameters) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<String> texts = new ArrayList<>();
            if (statement.execute()) {
                ResultSet result = statement.getResultSet();
                while (result.next()) {
                    texts.add(result.getString(1));
                }
            }
            return texts;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** A transaction that has executed these statements. It is rolled back when it is closed, unless it is committed. */
    public final Connection begin(String sql) throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        return connection;
    }

    /** The number that a query returns; 0 if that is null. */
    public final long number(String sql, Object... parameters) {
        String number = texts(sql, parameters).getFirst();
        return number == null ? 0 : Long.parseLong(number);
    }
}
