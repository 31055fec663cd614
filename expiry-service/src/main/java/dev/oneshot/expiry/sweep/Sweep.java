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
     * @return the number of rows swept; less than the batch size means that there is nothing more to do for now
     */
    int sweepBatch(Connection connection) throws SQLException;
}
