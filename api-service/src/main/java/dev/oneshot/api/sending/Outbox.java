package dev.oneshot.api.sending;

import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.contracts.trace.TraceScope;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code outbox}. All methods are parts of somebody's transaction. */
final class Outbox {

    private static final String ADD =
            "INSERT INTO outbox (topic, address_id, value, expires_at, traceparent) VALUES (?, ?, ?, ?, ?)";

    /** What another replica is publishing is locked and left to it. */
    private static final String CANDIDATES =
            "SELECT id, octet_length(value) FROM outbox ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED";

    private static final String READ = "SELECT id, topic, address_id, value, traceparent, created_at,"
            + " topic = ? AND NOT EXISTS (SELECT FROM address WHERE address.id = outbox.address_id) AS withdrawn"
            + " FROM outbox WHERE id = ANY (?) ORDER BY id";

    private static final String REMOVE = "DELETE FROM outbox WHERE id = ANY (?)";

    private static final String WITHDRAW = """
            DELETE FROM outbox WHERE id IN (
                SELECT id FROM outbox WHERE address_id = ANY (?) AND topic = ? FOR UPDATE SKIP LOCKED)
            RETURNING address_id, created_at""";

    private static final String EXPIRE = """
            DELETE FROM outbox WHERE id IN (
                SELECT id FROM outbox WHERE expires_at <= now() LIMIT ? FOR UPDATE SKIP LOCKED)
            RETURNING address_id, created_at, topic""";

    private static final String STATE =
            "SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at)), 0) FROM outbox";

    private Outbox() {}

    /**
     * What waits to be published.
     *
     * @param isWithdrawn whether it is a request whose address is gone
     */
    record Entry(
            long id,
            String topic,
            String addressId,
            Octets value,
            TraceContext trace,
            Instant requestedAt,
            boolean isWithdrawn) {}

    /** A request that will not be published. */
    record Withdrawn(String addressId, Instant requestedAt) {}

    record State(long depth, double oldestSeconds) {}

    /** Along with the trace of what makes the entry. */
    static void add(Connection connection, Topic topic, String addressId, byte[] value, Instant expiresAt)
            throws SQLException {
        try (PreparedStatement add = connection.prepareStatement(ADD)) {
            bind(add, topic, addressId, value, expiresAt);
            add.executeUpdate();
        }
    }

    /** Announcements of closed addresses, in one exchange with the database. */
    static void addClosed(Connection connection, List<AddressClosed> events) throws SQLException {
        try (PreparedStatement add = connection.prepareStatement(ADD)) {
            for (AddressClosed event : events) {
                bind(add, Topic.ADDRESS_CLOSED, event.addressId(), EventCodec.encode(event), event.until());
                add.addBatch();
            }
            add.executeBatch();
        }
    }

    private static void bind(PreparedStatement add, Topic topic, String addressId, byte[] value, Instant expiresAt)
            throws SQLException {
        add.setString(1, topic.topicName());
        add.setString(2, addressId);
        add.setBytes(3, value);
        add.setObject(4, expiresAt.atOffset(ZoneOffset.UTC));
        add.setString(5, TraceScope.current().traceparent());
    }

    /** Locks the oldest entries that are free and reads as many of them as fit, though always one. */
    static List<Entry> lock(Connection connection, int entriesMax, long bytesMax) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(CANDIDATES)) {
            select.setInt(1, entriesMax);
            try (ResultSet rows = select.executeQuery()) {
                long bytes = 0;
                while (rows.next()) {
                    bytes += rows.getLong(2);
                    if (ids.isEmpty() || bytes <= bytesMax) {
                        ids.add(rows.getLong(1));
                    }
                }
            }
        }
        List<Entry> entries = new ArrayList<>();
        if (!ids.isEmpty()) {
            try (PreparedStatement read = connection.prepareStatement(READ)) {
                read.setString(1, Topic.MAIL_REQUESTED.topicName());
                read.setArray(2, array(connection, ids));
                try (ResultSet rows = read.executeQuery()) {
                    while (rows.next()) {
                        entries.add(new Entry(
                                rows.getLong(1),
                                rows.getString(2),
                                rows.getString(3),
                                Octets.of(rows.getBytes(4)),
                                trace(rows.getString(5)),
                                rows.getTimestamp(6).toInstant(),
                                rows.getBoolean(7)));
                    }
                }
            }
        }
        return entries;
    }

    private static TraceContext trace(@Nullable String traceparent) {
        return Optional.ofNullable(traceparent).flatMap(TraceContext::parse).orElseGet(TraceContext::create);
    }

    static void remove(Connection connection, List<Entry> published) throws SQLException {
        try (PreparedStatement remove = connection.prepareStatement(REMOVE)) {
            remove.setArray(
                    1, array(connection, published.stream().map(Entry::id).toList()));
            remove.executeUpdate();
        }
    }

    private static Array array(Connection connection, List<Long> ids) throws SQLException {
        return connection.createArrayOf("bigint", ids.toArray());
    }

    /** Takes back the requests of these addresses that nobody is publishing at the moment. */
    static List<Withdrawn> withdraw(Connection connection, Collection<String> addressIds) throws SQLException {
        try (PreparedStatement withdraw = connection.prepareStatement(WITHDRAW)) {
            withdraw.setArray(1, connection.createArrayOf("text", addressIds.toArray()));
            withdraw.setString(2, Topic.MAIL_REQUESTED.topicName());
            return withdrawn(withdraw);
        }
    }

    /** Drops what came too late, and answers the requests among it. */
    static List<Withdrawn> expire(Connection connection, int entriesMax) throws SQLException {
        try (PreparedStatement expire = connection.prepareStatement(EXPIRE)) {
            expire.setInt(1, entriesMax);
            return withdrawn(expire);
        }
    }

    private static List<Withdrawn> withdrawn(PreparedStatement delete) throws SQLException {
        List<Withdrawn> withdrawn = new ArrayList<>();
        try (ResultSet rows = delete.executeQuery()) {
            boolean mixed = rows.getMetaData().getColumnCount() == 3;
            while (rows.next()) {
                if (!mixed || Topic.MAIL_REQUESTED.topicName().equals(rows.getString(3))) {
                    withdrawn.add(new Withdrawn(
                            rows.getString(1), rows.getTimestamp(2).toInstant()));
                }
            }
        }
        return withdrawn;
    }

    static State state(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(STATE);
                ResultSet rows = select.executeQuery()) {
            rows.next();
            return new State(rows.getLong(1), rows.getDouble(2));
        }
    }
}
