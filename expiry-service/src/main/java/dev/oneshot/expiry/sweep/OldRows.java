package dev.oneshot.expiry.sweep;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Deletes whole rows whose retention has ended, oldest first. */
final class OldRows implements Sweep {

    private final String name;
    private final String delete;
    private final double keptSeconds;
    private final int batchSize;

    /**
     * @param keys the columns of the primary key
     * @param due the condition for rows that may be deleted at all
     * @param since the indexed column with the start of retention
     */
    private OldRows(
            String name, String table, String keys, String due, String since, Duration kept, SweepConfig config) {
        this.name = name;
        this.keptSeconds = kept.toMillis() / 1000.0;
        this.batchSize = config.batchSize();
        // Materialized, so that a batch is searched once. A literal limit: for a parameter the planner would assume a
        // tenth of the table and not use the index.
        this.delete = """
            WITH old AS MATERIALIZED (
                SELECT %2$s
                FROM %1$s
                WHERE %3$s AND %4$s <= now() - make_interval(secs => ?)
                ORDER BY %4$s
                LIMIT %5$d
                FOR UPDATE SKIP LOCKED)
            DELETE FROM %1$s WHERE (%2$s) IN (SELECT %2$s FROM old)\
            """.formatted(table, keys, due, since, batchSize);
    }

    /** The sweeps of all rows with a retention. */
    static List<Sweep> all(SweepConfig config) {
        return List.of(forgottenAddresses(config), settledSends(config), keptResponses(config));
    }

    /**
     * Bare rows of expired addresses; reads of a deleted one get 404. Rows with mail are left to {@link
     * ExpiredAddresses}.
     */
    static Sweep forgottenAddresses(SweepConfig config) {
        Duration kept = config.listedFor();
        return new OldRows("forgotten-addresses", "address", "id", "status = 'expired'", "expires_at", kept, config);
    }

    /** Results of sending. */
    static Sweep settledSends(SweepConfig config) {
        Duration kept = config.settledSendsKept();
        return new OldRows("settled-sends", "send_settlement", "address_id", "true", "settled_at", kept, config);
    }

    /** Responses to requests with an Idempotency-Key. Each row has its own end of retention. */
    static Sweep keptResponses(SweepConfig config) {
        String keys = "account_id, key";
        return new OldRows("kept-responses", "kept_response", keys, "true", "expires_at", Duration.ZERO, config);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Batch sweepBatch(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(delete)) {
            statement.setDouble(1, keptSeconds);
            int rows = statement.executeUpdate();
            return new Batch(rows, rows == batchSize);
        }
    }
}
