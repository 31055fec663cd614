package dev.oneshot.api.sending;

import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.event.MailSettled;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves rows of the table {@code outbox}, where replicas of the version before put requests, to the new one. Goes away with the next
 * version.
 */
@ApplicationScoped
class EarlierOutbox {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /**
     * A row may have been published though it is still there, and its address deleted while it was locked. What is no request was for
     * the mailers of the version before.
     */
    private static final String MOVE = """
            WITH moved AS (
                DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED)
                RETURNING topic, address_id, value, traceparent, created_at, expires_at),
            request AS (
                SELECT * FROM moved WHERE topic = 'mail.requested'
                    AND NOT EXISTS (SELECT FROM send_settlement WHERE address_id = moved.address_id)),
            kept AS (
                INSERT INTO send_outbox (address_id, value, traceparent, created_at, expires_at)
                SELECT address_id, value, traceparent, request.created_at, request.expires_at
                FROM request JOIN address ON address.id = address_id FOR KEY SHARE OF address
                ON CONFLICT (address_id) DO UPDATE SET due_at = send_outbox.due_at
                RETURNING address_id)
            SELECT address_id, created_at, (SELECT count(*) FROM moved) FROM request
            WHERE address_id NOT IN (SELECT address_id FROM kept)
            UNION ALL SELECT NULL, NULL, count(*) FROM moved""";

    private final Database database;
    private final InstantSource clock;
    private long nextAtNanos = System.nanoTime();

    EarlierOutbox(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Moves all there is, if it is time to look. */
    void moveWhenDue() {
        if (System.nanoTime() - nextAtNanos < 0) {
            return;
        }
        nextAtNanos = System.nanoTime() + INTERVAL.toNanos();
        long moved;
        do {
            moved = database.transaction(this::move);
        } while (moved > 0);
    }

    private long move(Connection connection) throws SQLException {
        List<MailSettled> deleted = new ArrayList<>();
        long moved = 0;
        try (PreparedStatement move = connection.prepareStatement(MOVE);
                ResultSet rows = move.executeQuery()) {
            while (rows.next()) {
                moved = rows.getLong(3);
                if (rows.getString(1) != null) {
                    deleted.add(new MailSettled(
                            rows.getString(1),
                            MailSettled.Outcome.DELETED,
                            null,
                            null,
                            0,
                            rows.getTimestamp(2).toInstant(),
                            clock.instant()));
                }
            }
        }
        Settlements.record(connection, deleted);
        return moved;
    }
}
