package dev.oneshot.endtoend;

import dev.oneshot.local.stack.LocalStack;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** The database of the stack, accessed without the services. */
record StackDatabase(LocalStack stack) {

    /** A new connection. */
    Connection connect() throws SQLException {
        return stack.database().connect();
    }

    /** The number that a query with these parameters returns. */
    long number(String sql, Object... parameters) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** Sets how many addresses of the cycle's allocation an account has used. */
    void use(Account account, int addresses) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement update = connection.prepareStatement("UPDATE account SET used = ? WHERE id = ?")) {
            update.setInt(1, addresses);
            update.setObject(2, UUID.fromString(account.id()));
            update.executeUpdate();
        }
    }
}
