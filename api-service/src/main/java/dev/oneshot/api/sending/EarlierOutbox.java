package dev.oneshot.api.sending;

import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.event.MailSettled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Moves rows of the table {@code outbox}, where replicas of the previous version put requests, to the new one. Remove with the next
 * version.
 */
@ApplicationScoped
class EarlierOutbox {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /**
     * A row may have been published though it is still there, and its address deleted while it was locked. What is no request was for
     * the mailers of the previous version.
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
    private final Settlements settlements;
    private final InstantSource clock;
    private long nextAtNanos = System.nanoTime();

    EarlierOutbox(Database database, Settlements settlements, InstantSource clock) {
        this.database = database;
        this.settlements = settlements;
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
            moved = move();
        } while (moved > 0);
    }

    @Transactional
    long move() {
        List<Moved> moved = database.rows(MOVE, this::moved);
        settlements.record(
                moved.stream().map(Moved::deleted).flatMap(Optional::stream).toList(), null);
        return moved.getLast().count();
    }

    /** An end of a request whose address was gone, and how many rows were moved in all. */
    private record Moved(Optional<MailSettled> deleted, long count) {}

    private Moved moved(ResultSet row) throws SQLException {
        String addressId = row.getString(1);
        Optional<MailSettled> deleted = addressId == null
                ? Optional.empty()
                : Optional.of(new MailSettled(
                        addressId,
                        MailSettled.Outcome.DELETED,
                        null,
                        null,
                        0,
                        row.getTimestamp(2).toInstant(),
                        clock.instant()));
        return new Moved(deleted, row.getLong(3));
    }
}
