package dev.oneshot.api.inbox;

import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.Octets;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Stores mail: status, summary and content of a whole batch become visible in one commit, and each address takes the
 * first mail only, if it still waits. Storing the same mail again does nothing.
 */
@ApplicationScoped
class MailIntake {

    /**
     * Rows are locked in id order, so that two batches, or a batch and a deletion, never wait for one another in a
     * circle. The conditions are checked again on the locked rows.
     */
    private static final String CLAIM = """
            WITH mail AS (
                SELECT * FROM unnest(?, ?, ?, ?, ?, ?)
                    AS mail (id, author, subject, received_at, size_bytes, attachment_count)),
            claimed AS MATERIALIZED (
                SELECT address.id FROM address JOIN mail USING (id)
                WHERE address.status = 'waiting' AND address.mode = 'receive'
                    AND address.expires_at > greatest(mail.received_at, now())
                ORDER BY address.id FOR UPDATE OF address)
            UPDATE address SET status = 'received', mail_from = mail.author, mail_subject = mail.subject,
                mail_received_at = mail.received_at, mail_size_bytes = mail.size_bytes,
                mail_attachment_count = mail.attachment_count
            FROM claimed JOIN mail USING (id)
            WHERE address.id = claimed.id AND address.status = 'waiting'
            RETURNING address.id, address.expires_at""";

    private static final String INSERT =
            "INSERT INTO mail (address_id, expires_at, structure, raw) VALUES (?, ?, ?, ?)";

    private final Database database;

    MailIntake(Database database) {
        this.database = database;
    }

    /**
     * Stores a batch in one transaction.
     *
     * @param batch no two for the same address
     * @return the addresses that took their mail, with when they expire; the others do not wait for one (any more)
     */
    Map<String, Instant> store(List<ReceivedMail> batch) {
        return database.transaction(connection -> {
            Map<String, Instant> claimed = claim(connection, batch);
            insert(connection, batch, claimed);
            return claimed;
        });
    }

    private static Map<String, Instant> claim(Connection connection, List<ReceivedMail> batch) throws SQLException {
        try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
            array(connection, claim, 1, "text", batch, ReceivedMail::addressId);
            array(connection, claim, 2, "text", batch, ReceivedMail::from);
            array(connection, claim, 3, "text", batch, ReceivedMail::subject);
            array(
                    connection,
                    claim,
                    4,
                    "timestamptz",
                    batch,
                    mail -> mail.event().receivedAt());
            array(
                    connection,
                    claim,
                    5,
                    "int4",
                    batch,
                    mail -> mail.event().raw().length());
            array(
                    connection,
                    claim,
                    6,
                    "int4",
                    batch,
                    mail -> mail.event().structure().attachments().size());
            Map<String, Instant> claimed = new HashMap<>();
            try (ResultSet result = claim.executeQuery()) {
                while (result.next()) {
                    Instant expiresAt =
                            result.getObject(2, OffsetDateTime.class).toInstant();
                    claimed.put(result.getString(1), expiresAt);
                }
            }
            return claimed;
        }
    }

    private static void array(
            Connection connection,
            PreparedStatement statement,
            int parameter,
            String type,
            List<ReceivedMail> batch,
            Function<ReceivedMail, Object> value)
            throws SQLException {
        statement.setArray(
                parameter,
                connection.createArrayOf(type, batch.stream().map(value).toArray()));
    }

    private static void insert(Connection connection, List<ReceivedMail> batch, Map<String, Instant> claimed)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (ReceivedMail mail : batch) {
                Instant expiresAt = claimed.get(mail.addressId());
                if (expiresAt != null) {
                    Octets raw = mail.event().raw();
                    insert.setString(1, mail.addressId());
                    insert.setObject(2, expiresAt.atOffset(ZoneOffset.UTC));
                    insert.setBytes(3, EventCodec.encode(mail.event().structure()));
                    insert.setBinaryStream(4, raw.stream(), raw.length());
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }
}
