package dev.oneshot.expiry.sweep;

import java.sql.Connection;
import java.sql.SQLException;

/** Deletes one kind of expired row. */
interface Sweep {

    /** A short name for metrics and logs. */
    String name();

    /**
     * Sweeps one batch of rows that no other transaction has locked. The caller commits, or rolls back if this
     * throws.
     *
     * @param connection inside a transaction
     */
    Batch sweepBatch(Connection connection) throws SQLException;

    /**
     * The result of a batch.
     *
     * @param rows the number of rows swept
     * @param isFull whether a bound ended the batch, so that more rows may be due
     */
    record Batch(int rows, boolean isFull) {}
}
