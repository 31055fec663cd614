package dev.oneshot.expiry.sweep;

import java.sql.Connection;
import java.sql.SQLException;

/** One kind of row that has had its time. */
interface Sweep {

    /** A short name, for metrics and logs. */
    String name();

    /**
     * Sweeps one batch of rows that no other transaction has locked. The caller commits, or rolls back when this
     * throws: nothing half done is ever visible.
     *
     * @param connection inside a transaction
     */
    Batch sweepBatch(Connection connection) throws SQLException;

    /**
     * What a batch did.
     *
     * @param rows the number of rows swept
     * @param isFull whether a bound ended it, so that there may be more to do
     */
    record Batch(int rows, boolean isFull) {}
}
