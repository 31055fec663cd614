package dev.oneshot.api.address;

import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.Position;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The query for pages of one list, newest first. Its work is bounded: what no index leaves out is looked for among so many
 * addresses and no more, and the page then ends where the look did, with as many items as were found.
 */
final class AddressListQuery {

    /** One look at what the page shows and at where it ended, in the order of an index, whatever the planner thinks of it. */
    static final String ONE_LOOK = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
            + " SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off";

    private static final String ORDER = " ORDER BY created_at DESC, id DESC";

    private final UUID accountId;
    private final AddressFilter filter;
    private final int lookedAtMax;

    AddressListQuery(UUID accountId, AddressFilter filter, int lookedAtMax) {
        this.accountId = accountId;
        this.filter = filter;
        this.lookedAtMax = lookedAtMax;
    }

    /** Whether every address that is read is shown, so that {@link #page} is one statement. */
    boolean isByIndex() {
        return leftOut().isEmpty();
    }

    /**
     * A page; a part of a transaction of its own unless the list {@linkplain #isByIndex() is by index}.
     *
     * @param after where the page before ended; null for the first one
     */
    Page<Address> page(Connection connection, int limit, @Nullable Position after) throws SQLException {
        if (isByIndex()) {
            return Page.ofOneMore(rows(connection, limit, after), limit, AddressListQuery::position);
        }
        try (Statement look = connection.createStatement()) {
            look.execute(ONE_LOOK);
        }
        List<Address> rows = rows(connection, limit, after);
        return rows.size() > limit
                ? Page.ofOneMore(rows, limit, AddressListQuery::position)
                : new Page<>(rows, lastLookedAt(connection, after));
    }

    /** The query for the rows of a page, and one more. */
    String sql(boolean isFirst) {
        String candidates = "SELECT " + AddressRows.COLUMNS + candidates(isFirst);
        String leftOut = leftOut();
        return leftOut.isEmpty()
                ? candidates + " LIMIT ?"
                : "SELECT * FROM (" + candidates + " LIMIT " + lookedAtMax + ") AS candidate WHERE " + leftOut + ORDER
                        + " LIMIT ?";
    }

    /** Binds the parameters of {@link #sql}, but for the last. */
    int bind(PreparedStatement select, @Nullable Position after) throws SQLException {
        int next = 1;
        select.setObject(next++, accountId);
        if (filter.label() != null) {
            select.setString(next++, filter.label().text());
        }
        if (after != null) {
            select.setObject(next++, after.createdAt().atOffset(ZoneOffset.UTC));
            select.setString(next++, after.id());
        }
        return next;
    }

    private List<Address> rows(Connection connection, int limit, @Nullable Position after) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql(after == null))) {
            select.setInt(bind(select, after), limit + 1);
            return AddressRows.read(select);
        }
    }

    /** Where the look ended; null if there is nothing behind. */
    private @Nullable Position lastLookedAt(Connection connection, @Nullable Position after) throws SQLException {
        String sql = "SELECT created_at, id" + candidates(after == null) + " OFFSET " + (lookedAtMax - 1) + " LIMIT 2";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            bind(select, after);
            try (ResultSet rows = select.executeQuery()) {
                if (!rows.next()) {
                    return null;
                }
                Position last =
                        new Position(rows.getObject(1, OffsetDateTime.class).toInstant(), rows.getString(2));
                return rows.next() ? last : null;
            }
        }
    }

    /** What an index gives in the order of the list. */
    private String candidates(boolean isFirst) {
        StringBuilder sql = new StringBuilder(" FROM address WHERE account_id = ?");
        if (filter.status() != null) {
            sql.append(
                    switch (filter.status()) {
                        case WAITING -> " AND status = 'waiting' AND expires_at > now()";
                        case RECEIVED -> " AND status = 'received' AND expires_at > now()";
                        case SENT -> " AND status = 'sent' AND expires_at > now()";
                        case EXPIRED -> "";
                    });
        }
        if (isOfNoAddress()) {
            sql.append(" AND false");
        }
        if (filter.label() != null) {
            sql.append(" AND label = ?");
        }
        if (!isFirst) {
            sql.append(" AND (created_at, id) < (?, ?)");
        }
        return sql.append(ORDER).toString();
    }

    /** The condition on candidates; empty if all of them are shown. What is alive has its mode from its status. */
    private String leftOut() {
        if (filter.status() != null && filter.status() != Status.EXPIRED) {
            return "";
        }
        String expired = filter.status() == null ? "" : "status = 'expired'";
        String mode = filter.mode() == null ? "" : "mode = '" + filter.mode().text() + "'";
        return expired.isEmpty() || mode.isEmpty() ? expired + mode : expired + " AND " + mode;
    }

    private boolean isOfNoAddress() {
        return filter.status() != null
                && filter.mode() != null
                && switch (filter.status()) {
                    case WAITING, RECEIVED -> filter.mode() != Mode.RECEIVE;
                    case SENT -> filter.mode() != Mode.SEND;
                    case EXPIRED -> false;
                };
    }

    private static Position position(Address row) {
        return new Position(row.createdAt(), row.id());
    }
}
