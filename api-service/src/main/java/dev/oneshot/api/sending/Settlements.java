package dev.oneshot.api.sending;

import dev.oneshot.contracts.event.MailSettled;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The table {@code send_settlement}, whose old rows expiry-service deletes. All methods are part of the caller's transaction. */
public final class Settlements {

    /**
     * A later end replaces an earlier one, and the relay's 250 any other: a mail that was deleted or expired while a mailer was sending it
     * has been sent.
     */
    private static final String RECORD = """
            INSERT INTO send_settlement (address_id, account_id, outcome, failure, reply_code, enhanced_status, attempts,
                requested_at, settled_at)
            VALUES (?, coalesce(?::uuid, (SELECT account_id FROM address WHERE id = ?)), ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (address_id) DO UPDATE SET outcome = excluded.outcome, failure = excluded.failure,
                reply_code = excluded.reply_code, enhanced_status = excluded.enhanced_status,
                attempts = excluded.attempts, settled_at = excluded.settled_at,
                requested_at = coalesce(excluded.requested_at, send_settlement.requested_at)
            WHERE send_settlement.settled_at <= excluded.settled_at OR excluded.outcome = 'RELAYED'""";

    private static final String LIST = """
            SELECT address_id, account_id::text, outcome, failure, reply_code, enhanced_status, attempts, requested_at,
                settled_at
            FROM send_settlement
            WHERE (settled_at, address_id) < (?, ?) AND (?::text IS NULL OR outcome = ?)
                AND (?::text IS NULL OR address_id = ?)
            ORDER BY settled_at DESC, address_id DESC LIMIT ?""";

    private Settlements() {}

    /** An end as the operator sees it. */
    public record Row(
            String addressId,
            @Nullable String accountId,
            String outcome,
            @Nullable String failure,
            @Nullable Integer replyCode,
            @Nullable String enhancedStatus,
            int attempts,
            @Nullable Instant requestedAt,
            Instant settledAt) {}

    /** Records ends of requests whose addresses may be there or not. */
    static void record(Connection connection, List<MailSettled> events) throws SQLException {
        record(connection, events, null);
    }

    /** Records ends; of an account whose addresses are gone already, unless that is null. */
    static void record(Connection connection, List<MailSettled> events, @Nullable UUID accountId) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(RECORD)) {
            for (MailSettled event : events) {
                bind(insert, event, accountId);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void bind(PreparedStatement insert, MailSettled event, @Nullable UUID accountId)
            throws SQLException {
        MailSettled.Reply reply = event.reply();
        insert.setString(1, event.addressId());
        insert.setObject(2, accountId, Types.OTHER);
        insert.setString(3, event.addressId());
        insert.setString(4, event.outcome().name());
        insert.setString(
                5, event.lastFailure() == null ? null : event.lastFailure().name());
        insert.setObject(6, reply == null ? null : reply.code(), Types.INTEGER);
        insert.setString(7, reply == null ? null : reply.enhancedStatus());
        insert.setInt(8, event.attempts());
        insert.setObject(
                9, event.requestedAt() == null ? null : event.requestedAt().atOffset(ZoneOffset.UTC));
        insert.setObject(10, event.settledAt().atOffset(ZoneOffset.UTC));
    }

    /** See {@link SentMails#list}. */
    static List<Row> list(
            Connection connection,
            Instant before,
            String beforeId,
            @Nullable String outcome,
            @Nullable String addressId,
            int rowsMax)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(LIST)) {
            select.setObject(1, before.atOffset(ZoneOffset.UTC));
            select.setString(2, beforeId);
            select.setString(3, outcome);
            select.setString(4, outcome);
            select.setString(5, addressId);
            select.setString(6, addressId);
            select.setInt(7, rowsMax);
            List<Row> rows = new ArrayList<>();
            try (ResultSet result = select.executeQuery()) {
                while (result.next()) {
                    rows.add(row(result));
                }
            }
            return rows;
        }
    }

    private static Row row(ResultSet result) throws SQLException {
        OffsetDateTime requestedAt = result.getObject(8, OffsetDateTime.class);
        return new Row(
                result.getString(1),
                result.getString(2),
                result.getString(3),
                result.getString(4),
                result.getObject(5, Integer.class),
                result.getString(6),
                result.getInt(7),
                requestedAt == null ? null : requestedAt.toInstant(),
                result.getObject(9, OffsetDateTime.class).toInstant());
    }
}
