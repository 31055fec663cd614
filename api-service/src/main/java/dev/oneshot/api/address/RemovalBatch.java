package dev.oneshot.api.address;

import dev.oneshot.api.paging.Position;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a bulk deletion takes in one transaction: addresses in the order of lists, going on behind the last batch. So
 * none is looked at twice, neither those just deleted, which stay in the index for a while, nor those that somebody
 * else deletes at the same time.
 *
 * @param ids not necessarily there any more
 * @param last where to go on; null if there is nothing behind
 */
record RemovalBatch(List<String> ids, @Nullable Position last) {

    private static final AddressFilter ALL = new AddressFilter(null, null, null);

    private static final String CANDIDATES = "SELECT id, created_at, coalesce(mail_size_bytes, 0)";

    /** Before the first batch: what is there is deleted; what is created later, by the same clock, is not. */
    static Position begin(Connection connection, UUID accountId) throws SQLException {
        AddressListQuery newest = new AddressListQuery(accountId, ALL, null);
        // An address may be from a primary whose clock was ahead of this one's.
        String sql = "SELECT greatest(now(), (SELECT created_at" + newest.from(1) + " LIMIT 1))";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            newest.bind(select, 1);
            try (ResultSet result = select.executeQuery()) {
                result.next();
                Instant begin = result.getObject(1, OffsetDateTime.class).toInstant();
                return new Position(begin.plus(1, ChronoUnit.MICROS), "");
            }
        }
    }

    /**
     * The next batch.
     *
     * @param label null for all of the account
     * @param rowsMax at the most so many addresses
     * @param bytesMax with so much mail; an address with more goes alone
     */
    static RemovalBatch after(
            Position position, Connection connection, UUID accountId, @Nullable Label label, int rowsMax, long bytesMax)
            throws SQLException {
        AddressListQuery behind = new AddressListQuery(accountId, new AddressFilter(null, label, null), position);
        String sql = CANDIDATES + behind.from(rowsMax) + " LIMIT " + rowsMax;
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            behind.bind(select, 1);
            try (ResultSet rows = select.executeQuery()) {
                return read(rows, rowsMax, bytesMax);
            }
        }
    }

    private static RemovalBatch read(ResultSet rows, int rowsMax, long bytesMax) throws SQLException {
        List<String> ids = new ArrayList<>();
        Position last = null;
        long bytes = 0;
        while (rows.next()) {
            bytes += rows.getLong(3);
            if (bytes > bytesMax && !ids.isEmpty()) {
                return new RemovalBatch(ids, last);
            }
            ids.add(rows.getString(1));
            last = new Position(rows.getObject(2, OffsetDateTime.class).toInstant(), rows.getString(1));
        }
        return new RemovalBatch(ids, ids.size() < rowsMax ? null : last);
    }
}
