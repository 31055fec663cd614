package dev.oneshot.expiry.sweep;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Sweeps expired addresses: deletes their e-mail, summary and content, in one transaction. The bare row stays listed
 * as {@code expired}.
 */
final class ExpiredAddresses implements Sweep {

    private static final String EXPIRE = """
            UPDATE address
            SET status = 'expired', mail_from = NULL, mail_subject = NULL, mail_received_at = NULL,
                mail_size_bytes = NULL, mail_attachment_count = NULL
            WHERE id = ANY (?)""";

    // The range lets PostgreSQL search one partition only. If that has been dropped, there is nothing to delete.
    private static final String DELETE_MAIL = """
            DELETE FROM mail
            WHERE address_id = ANY (?) AND expires_at >= ? AND expires_at <= ?""";

    // A burst fills a partition before autovacuum analyses it. Without statistics the planner may scan all of it.
    private static final String BY_INDEX = "SET LOCAL enable_seqscan = off";

    private final String lockDue;
    private final int batchSize;
    private final long batchBytes;

    ExpiredAddresses(SweepConfig config) {
        this.batchSize = config.batchSize();
        this.batchBytes = config.batchBytes();
        // A literal limit: for a parameter the planner would assume a tenth of the table and not use the index.
        this.lockDue = """
                SELECT id, expires_at, status = 'received' AS has_mail, coalesce(mail_size_bytes, 0)
                FROM address
                WHERE status <> 'expired' AND expires_at <= now()
                ORDER BY expires_at
                LIMIT %d
                FOR UPDATE SKIP LOCKED""".formatted(batchSize);
    }

    @Override
    public String name() {
        return "expired-addresses";
    }

    @Override
    public Batch sweepBatch(Connection connection) throws SQLException {
        List<Due> locked = lockDue(connection);
        if (locked.isEmpty()) {
            return new Batch(0, false);
        }
        List<Due> due = locked.subList(0, affordable(locked));
        try (Statement statement = connection.createStatement()) {
            statement.execute(BY_INDEX);
        }
        expire(connection, due);
        List<Due> withMail = due.stream().filter(Due::hasMail).toList();
        if (!withMail.isEmpty()) {
            deleteMail(connection, withMail);
        }
        return new Batch(due.size(), locked.size() == batchSize || due.size() < locked.size());
    }

    /** How many of them fit into the bytes of a batch; at least one. */
    private int affordable(List<Due> locked) {
        long bytes = locked.getFirst().mailBytes();
        int count = 1;
        while (count < locked.size() && bytes + locked.get(count).mailBytes() <= batchBytes) {
            bytes += locked.get(count).mailBytes();
            count++;
        }
        return count;
    }

    private List<Due> lockDue(Connection connection) throws SQLException {
        List<Due> due = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(lockDue);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                due.add(new Due(
                        rows.getString(1),
                        rows.getObject(2, OffsetDateTime.class),
                        rows.getBoolean(3),
                        rows.getLong(4)));
            }
        }
        return due;
    }

    private static void expire(Connection connection, List<Due> due) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(EXPIRE)) {
            statement.setArray(1, ids(connection, due));
            statement.executeUpdate();
        }
    }

    private static void deleteMail(Connection connection, List<Due> withMail) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(DELETE_MAIL)) {
            statement.setArray(1, ids(connection, withMail));
            // They are ordered by their expiry.
            statement.setObject(2, withMail.getFirst().expiresAt());
            statement.setObject(3, withMail.getLast().expiresAt());
            statement.executeUpdate();
        }
    }

    private static Array ids(Connection connection, List<Due> due) throws SQLException {
        return connection.createArrayOf("text", due.stream().map(Due::id).toArray());
    }

    /** A locked, expired row. The time keeps the database's microseconds. */
    private record Due(String id, OffsetDateTime expiresAt, boolean hasMail, long mailBytes) {}
}
