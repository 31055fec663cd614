package dev.oneshot.endtoend;

import dev.oneshot.local.stack.LocalStack;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Blocks transactions that change rows of a table, by a trigger that waits for a lock of the test. */
final class DatabaseGate implements AutoCloseable {

    private final Connection connection;
    private final String table;
    private final int lock;

    /**
     * Closes the gate.
     *
     * @param event INSERT, UPDATE or DELETE
     */
    DatabaseGate(LocalStack stack, String table, String event) throws SQLException {
        this.connection = stack.database().connect();
        this.table = table;
        this.lock = table.hashCode() & 0xFFFF;
        execute("SELECT pg_advisory_lock(%d)".formatted(lock));
        execute("""
                CREATE FUNCTION gate_of_%1$s() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM pg_advisory_xact_lock(%2$d);
                    RETURN coalesce(new, old);
                END $$""".formatted(table, lock));
        execute("CREATE TRIGGER gate BEFORE %2$s ON %1$s FOR EACH ROW EXECUTE FUNCTION gate_of_%1$s()"
                .formatted(table, event));
    }

    /** Whether a transaction is blocked. */
    boolean holds() {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = "
                                + lock)) {
            return row.next() && row.getInt(1) > 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens the gate for good. */
    @Override
    public void close() throws SQLException {
        try (connection) {
            execute("SELECT pg_advisory_unlock(%d)".formatted(lock));
            execute("DROP FUNCTION gate_of_%s() CASCADE".formatted(table));
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
