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
 * Addresses that reached their expiry: their e-mail, summary and content, is deleted, and the bare row stays listed as
 * {@code expired}. Row and content go in one transaction.
 */
final class ExpiredAddresses implements Sweep {

    private static final String EXPIRE = """
            UPDATE address
            SET status = 'expired', mail_from = NULL, mail_subject = NULL, mail_received_at = NULL,
                mail_size_bytes = NULL, mail_attachment_count = NULL
            WHERE id = ANY (?)""";

    // The range is what lets PostgreSQL look into the one partition that matters. If that was dropped before, there is
    // nothing to delete and nothing wrong.
    private static final String DELETE_MAIL = """
            DELETE FROM mail
            WHERE address_id = ANY (?) AND expires_at >= ? AND expires_at <= ?""";

    // A burst fills a partition long before anybody analyses it, and without statistics the planner may read all of it.
    private static final String BY_INDEX = "SET LOCAL enable_seqscan = off";

    private final String lockDue;

    ExpiredAddresses(int batchSize) {
        // A literal limit: for a parameter the planner would assume a tenth of the table and not use the index.
        this.lockDue = """
                SELECT id, expires_at, status = 'received' AS has_mail
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
    public int sweepBatch(Connection connection) throws SQLException {
        List<Due> due = lockDue(connection);
        if (due.isEmpty()) {
            return 0;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(BY_INDEX);
        }
        expire(connection, due);
        List<Due> withMail = due.stream().filter(Due::hasMail).toList();
        if (!withMail.isEmpty()) {
            deleteMail(connection, withMail);
        }
        return due.size();
    }

    private List<Due> lockDue(Connection connection) throws SQLException {
        List<Due> due = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(lockDue);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                due.add(new Due(rows.getString(1), rows.getObject(2, OffsetDateTime.class), rows.getBoolean(3)));
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
            // They come in the order of their expiry.
            statement.setObject(2, withMail.getFirst().expiresAt());
            statement.setObject(3, withMail.getLast().expiresAt());
            statement.executeUpdate();
        }
    }

    private static Array ids(Connection connection, List<Due> due) throws SQLException {
        return connection.createArrayOf("text", due.stream().map(Due::id).toArray());
    }

    /** A locked row that has expired. The time keeps the microseconds of the database. */
    private record Due(String id, OffsetDateTime expiresAt, boolean hasMail) {}
}
