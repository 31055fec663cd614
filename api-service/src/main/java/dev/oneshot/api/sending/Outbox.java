package dev.oneshot.api.sending;

import dev.oneshot.contracts.event.LeaseExtended;
import dev.oneshot.contracts.event.MailDeferred;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.SendLease;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.contracts.trace.TraceScope;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code send_outbox}: requests to send until they are settled. A leased row is with the mailers. All methods are part of
 * the caller's transaction.
 */
final class Outbox {

    private static final String ADD =
            "INSERT INTO send_outbox (address_id, value, expires_at, traceparent) VALUES (?, ?, ?, ?)";

    private static final String ROOM = "SELECT ? - count(*) FROM send_outbox WHERE leased_until > now()";

    private static final String HAS_DUE =
            "SELECT EXISTS (SELECT FROM send_outbox WHERE due_at <= now() AND leased_until IS NULL)";

    private static final String DUE = """
            SELECT address_id, octet_length(value) FROM send_outbox
            WHERE due_at <= now() AND leased_until IS NULL AND expires_at > now()
            ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED""";

    private static final String LEASE = """
            UPDATE send_outbox SET leased_until = now() + make_interval(secs => ?) WHERE address_id = ANY (?)
            RETURNING address_id, value, leased_until, attempts, traceparent""";

    private static final String ENDED =
            "SELECT now() WHERE EXISTS (SELECT FROM send_outbox WHERE leased_until < now())";

    private static final String REMOVE_SETTLED = """
            DELETE FROM send_outbox USING send_settlement
            WHERE send_settlement.address_id = send_outbox.address_id AND leased_until < ?""";

    // The longer the mailers are away, the less often Kafka gets another copy.
    private static final String RELEASE = """
            UPDATE send_outbox SET leased_until = NULL,
                due_at = now() + least((now() - created_at) / 4, interval '15 minutes', (expires_at - now()) / 2)
            WHERE leased_until < ?""";

    private static final String DEFER = """
            UPDATE send_outbox SET leased_until = NULL, due_at = ?, attempts = ?,
                last_failure = ?, reply_code = ?, enhanced_status = ?
            WHERE address_id = ? AND leased_until = ?""";

    private static final String EXTEND =
            "UPDATE send_outbox SET leased_until = ? WHERE address_id = ? AND leased_until = ?";

    private static final String GIVE_BACK =
            "UPDATE send_outbox SET leased_until = NULL WHERE address_id = ? AND leased_until = ?";

    private static final String ENDS =
            " RETURNING address_id, created_at, attempts, last_failure, reply_code, enhanced_status";

    /** Locks in the order of ids, as every transaction does that waits for rows. */
    private static final String REMOVE = """
            DELETE FROM send_outbox WHERE address_id IN (
                SELECT address_id FROM send_outbox WHERE address_id = ANY (?) ORDER BY address_id FOR UPDATE)""" + ENDS;

    private static final String EXPIRE = """
            DELETE FROM send_outbox WHERE address_id IN (
                SELECT address_id FROM send_outbox WHERE expires_at <= now() LIMIT ? FOR UPDATE SKIP LOCKED)""" + ENDS;

    private static final String STATE = """
            SELECT count(*) FILTER (WHERE leased_until IS NULL AND due_at <= now()),
                coalesce(extract(epoch FROM now() - min(due_at) FILTER (WHERE leased_until IS NULL AND due_at <= now())), 0),
                count(*) FILTER (WHERE leased_until IS NOT NULL),
                count(*) FILTER (WHERE leased_until IS NULL AND due_at > now())
            FROM send_outbox""";

    private Outbox() {}

    /** A request that the mailers may attempt once. */
    record Leased(String addressId, Octets value, SendLease lease, TraceContext trace) {}

    /**
     * What is in the table.
     *
     * @param due could be published now
     * @param oldestSeconds for how long the first of these has been due
     * @param leased are with the mailers
     * @param deferred wait for their next attempt
     */
    record State(long due, double oldestSeconds, long leased, long deferred) {}

    /** Adds a request, along with the current trace. */
    static void add(Connection connection, String addressId, byte[] value, Instant expiresAt) throws SQLException {
        try (PreparedStatement add = connection.prepareStatement(ADD)) {
            add.setString(1, addressId);
            add.setBytes(2, value);
            add.setObject(3, expiresAt.atOffset(ZoneOffset.UTC));
            add.setString(4, TraceScope.current().traceparent());
            add.executeUpdate();
        }
    }

    /** Whether there is something to lease. */
    static boolean hasDue(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(HAS_DUE);
                ResultSet row = select.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    /** Leases what has been due for longest, as much as one pass may publish and the mailers can take soon. */
    static List<Leased> lease(Connection connection, SendingConfig config) throws SQLException {
        int room = Math.min(room(connection, config), config.outboxBatch());
        List<String> ids =
                room > 0 ? due(connection, room, config.outboxMemory().asLongValue()) : List.of();
        if (ids.isEmpty()) {
            return List.of();
        }
        try (PreparedStatement lease = connection.prepareStatement(LEASE)) {
            lease.setDouble(1, seconds(config.lease()));
            lease.setArray(2, array(connection, ids));
            List<Leased> leased = new ArrayList<>();
            try (ResultSet rows = lease.executeQuery()) {
                while (rows.next()) {
                    leased.add(new Leased(
                            rows.getString(1),
                            Octets.of(rows.getBytes(2)),
                            new SendLease(rows.getTimestamp(3).toInstant(), rows.getInt(4)),
                            trace(rows.getString(5))));
                }
            }
            return leased;
        }
    }

    private static int room(Connection connection, SendingConfig config) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(ROOM)) {
            select.setInt(1, config.window());
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static List<String> due(Connection connection, int rowsMax, long bytesMax) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(DUE)) {
            select.setInt(1, rowsMax);
            try (ResultSet rows = select.executeQuery()) {
                long bytes = 0;
                while (rows.next()) {
                    bytes += rows.getLong(2);
                    if (ids.isEmpty() || bytes <= bytesMax) {
                        ids.add(rows.getString(1));
                    }
                }
            }
        }
        return ids;
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    private static TraceContext trace(@Nullable String traceparent) {
        return Optional.ofNullable(traceparent).flatMap(TraceContext::parse).orElseGet(TraceContext::create);
    }

    /** The database's time, if there is a lease that has ended. */
    static Optional<Instant> withEndedLease(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(ENDED);
                ResultSet row = select.executeQuery()) {
            return row.next() ? Optional.of(row.getTimestamp(1).toInstant()) : Optional.empty();
        }
    }

    /**
     * Makes what was leased until before this time free to be leased again, unless a replica of the version before has recorded its end: that
     * one does not know this table.
     */
    static int release(Connection connection, Instant before) throws SQLException {
        try (PreparedStatement remove = connection.prepareStatement(REMOVE_SETTLED)) {
            remove.setTimestamp(1, Timestamp.from(before));
            remove.executeUpdate();
        }
        try (PreparedStatement release = connection.prepareStatement(RELEASE)) {
            release.setTimestamp(1, Timestamp.from(before));
            return release.executeUpdate();
        }
    }

    /** Ends a lease under which nothing was attempted. */
    static void giveBack(Connection connection, String addressId, Instant leasedUntil) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(GIVE_BACK)) {
            update.setString(1, addressId);
            update.setTimestamp(2, Timestamp.from(leasedUntil));
            update.executeUpdate();
        }
    }

    /** Extends leases that have not been followed by others. */
    static void extend(Connection connection, List<LeaseExtended> events) throws SQLException {
        try (PreparedStatement extend = connection.prepareStatement(EXTEND)) {
            for (LeaseExtended event : events) {
                extend.setTimestamp(1, Timestamp.from(event.until()));
                extend.setString(2, event.addressId());
                extend.setTimestamp(3, Timestamp.from(event.leasedUntil()));
                extend.addBatch();
            }
            extend.executeBatch();
        }
    }

    /** Makes requests due later, unless they were leased again since, or are settled. */
    static void defer(Connection connection, List<MailDeferred> events) throws SQLException {
        try (PreparedStatement defer = connection.prepareStatement(DEFER)) {
            for (MailDeferred event : events) {
                MailSettled.Failure failure = event.failure();
                if (failure == null) {
                    giveBack(connection, event.addressId(), event.leasedUntil());
                    continue;
                }
                MailSettled.Reply reply = event.reply();
                defer.setTimestamp(1, Timestamp.from(event.dueAt()));
                defer.setInt(2, event.attempts());
                defer.setString(3, failure.name());
                defer.setObject(4, reply == null ? null : reply.code(), Types.INTEGER);
                defer.setString(5, reply == null ? null : reply.enhancedStatus());
                defer.setString(6, event.addressId());
                defer.setTimestamp(7, Timestamp.from(event.leasedUntil()));
                defer.addBatch();
            }
            defer.executeBatch();
        }
    }

    /** Removes the requests of these addresses; returns how each ended. */
    static List<MailSettled> remove(
            Connection connection, Collection<String> addressIds, MailSettled.Outcome outcome, Instant now)
            throws SQLException {
        try (PreparedStatement remove = connection.prepareStatement(REMOVE)) {
            remove.setArray(1, array(connection, addressIds));
            return ends(remove, outcome, now);
        }
    }

    /** Removes requests whose addresses have expired; returns how each ended. */
    static List<MailSettled> expire(Connection connection, int rowsMax, Instant now) throws SQLException {
        try (PreparedStatement expire = connection.prepareStatement(EXPIRE)) {
            expire.setInt(1, rowsMax);
            return ends(expire, MailSettled.Outcome.EXPIRED, now);
        }
    }

    private static List<MailSettled> ends(PreparedStatement delete, MailSettled.Outcome outcome, Instant now)
            throws SQLException {
        List<MailSettled> ends = new ArrayList<>();
        try (ResultSet rows = delete.executeQuery()) {
            while (rows.next()) {
                String failure = rows.getString(4);
                Integer replyCode = rows.getObject(5, Integer.class);
                ends.add(new MailSettled(
                        rows.getString(1),
                        outcome,
                        failure == null ? null : MailSettled.Failure.valueOf(failure),
                        replyCode == null ? null : new MailSettled.Reply(replyCode, rows.getString(6)),
                        rows.getInt(3),
                        rows.getTimestamp(2).toInstant(),
                        now));
            }
        }
        return ends;
    }

    private static Array array(Connection connection, Collection<String> ids) throws SQLException {
        return connection.createArrayOf("text", ids.toArray());
    }

    static State state(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(STATE);
                ResultSet row = select.executeQuery()) {
            row.next();
            return new State(row.getLong(1), row.getDouble(2), row.getLong(3), row.getLong(4));
        }
    }
}
