package dev.oneshot.endtoend;

import dev.oneshot.testing.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** Blocks transactions that change rows of a table, by a trigger that waits for a lock of the test. */
final class DatabaseGate implements AutoCloseable {

    private final Sql database;
    private final String table;
    private final int lock;
    private final Connection held;

    /**
     * Closes the gate.
     *
     * @param event INSERT, UPDATE or DELETE
     */
    DatabaseGate(Sql database, String table, String event) throws SQLException {
        this.database = database;
        this.table = table;
        this.lock = table.hashCode() & 0xFFFF;
        this.held = database.begin("SELECT pg_advisory_xact_lock(%d)".formatted(lock));
        database.execute("""
                CREATE FUNCTION gate_of_%1$s() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM pg_advisory_xact_lock(%2$d);
                    RETURN coalesce(new, old);
                END $$""".formatted(table, lock));
        database.execute("CREATE TRIGGER gate BEFORE %2$s ON %1$s FOR EACH ROW EXECUTE FUNCTION gate_of_%1$s()"
                .formatted(table, event));
    }

    /** Whether a transaction is blocked. */
    boolean holds() {
        String blocked =
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid::bigint = ?";
        return database.number(blocked, lock) > 0;
    }

    /** Opens the gate, and removes it. */
    @Override
    public void close() throws SQLException {
        held.close();
        database.execute("DROP FUNCTION gate_of_%s() CASCADE".formatted(table));
    }
}
