package dev.oneshot.expiry.sweep;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Whole rows that were kept for a time which is over: deleted, oldest first. */
final class OldRows implements Sweep {

    /** Replicas of api-service look back by a minute; one that was away for longer begins anew. */
    private static final Duration ACCOUNT_CHANGES_KEPT = Duration.ofMinutes(10);

    private final String name;
    private final String delete;
    private final double keptSeconds;
    private final int batchSize;

    /**
     * Rows of a table.
     *
     * @param keys the columns of its primary key
     * @param due which of them may go at all
     * @param since the column, with an index, from which on they are kept
     */
    private OldRows(String name, String table, String keys, String due, String since, Duration kept, int batchSize) {
        this.name = name;
        this.keptSeconds = kept.toMillis() / 1000.0;
        this.batchSize = batchSize;
        // Materialized, so that a batch is found once. A literal limit: for a parameter the planner would assume
        // a tenth of the table and not use the index.
        this.delete = """
                WITH old AS MATERIALIZED (
                    SELECT %2$s
                    FROM %1$s
                    WHERE %3$s AND %4$s <= now() - make_interval(secs => ?)
                    ORDER BY %4$s
                    LIMIT %5$d
                    FOR UPDATE SKIP LOCKED)
                DELETE FROM %1$s WHERE (%2$s) IN (SELECT %2$s FROM old)""".formatted(table, keys, due, since, batchSize);
    }

    /** Bare rows of expired addresses: once gone, reading them is 404. What has not been swept is left to that sweep. */
    static Sweep forgottenAddresses(SweepConfig config) {
        return new OldRows(
                "forgotten-addresses",
                "address",
                "id",
                "status = 'expired'",
                "expires_at",
                config.listedFor(),
                config.batchSize());
    }

    /** How requests to send ended. */
    static Sweep settledSends(SweepConfig config) {
        return new OldRows(
                "settled-sends",
                "send_settlement",
                "address_id",
                "true",
                "settled_at",
                config.settledSendsKept(),
                config.batchSize());
    }

    /** Answers to requests with an Idempotency-Key. They say themselves until when they are kept. */
    static Sweep idempotentAnswers(SweepConfig config) {
        return new OldRows(
                "idempotent-answers",
                "idempotent_answer",
                "account_id, key",
                "true",
                "expires_at",
                Duration.ZERO,
                config.batchSize());
    }

    /** What replicas of api-service tell each other about changed accounts. */
    static Sweep accountChanges(SweepConfig config) {
        return new OldRows(
                "account-changes",
                "account_change",
                "id",
                "true",
                "changed_at",
                ACCOUNT_CHANGES_KEPT,
                config.batchSize());
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
