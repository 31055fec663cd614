package dev.oneshot.api.address;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.paging.Page.Position;
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
 * What a bulk deletion takes in one transaction: addresses in the order of lists, from the end of the last batch on. So
 * none is read twice, neither those just deleted, which stay in the index for a while, nor those that another request
 * deletes at the same time.
 *
 * @param ids not necessarily there any more
 * @param last where the next batch begins; null if there is none
 */
record RemovalBatch(List<String> ids, @Nullable Position last) {

    private static final AddressFilter ALL = new AddressFilter(null, null, null);

    private static final String CANDIDATES = "SELECT id, created_at, coalesce(mail_size_bytes, 0)";

    /** Before the first batch. Addresses created later, by the database's clock, are not deleted. */
    static Position begin(Database database, UUID accountId) {
        AddressListQuery newest = new AddressListQuery(accountId, ALL, null);
        // An address may be from a primary whose clock was ahead of this one's.
        String sql = "SELECT greatest(now(), (SELECT created_at" + newest.from(1) + " LIMIT 1))";
        Instant begin = database.row(
                        sql,
                        row -> row.getObject(1, OffsetDateTime.class).toInstant(),
                        newest.parameters().toArray())
                .orElseThrow();
        return new Position(begin.plus(1, ChronoUnit.MICROS), "");
    }

    /**
     * The next batch.
     *
     * @param label null for all of the account
     * @param rowsMax the most addresses
     * @param bytesMax the most mail; an address with more goes alone
     */
    static RemovalBatch after(
            Position position, Database database, UUID accountId, @Nullable Label label, int rowsMax, long bytesMax) {
        AddressListQuery behind = new AddressListQuery(accountId, new AddressFilter(null, label, null), position);
        String sql = CANDIDATES + behind.from(rowsMax) + " LIMIT " + rowsMax;
        List<String> ids = new ArrayList<>();
        Position last = null;
        long bytes = 0;
        for (Candidate candidate :
                database.rows(sql, Candidate::read, behind.parameters().toArray())) {
            bytes += candidate.mailBytes();
            if (bytes > bytesMax && !ids.isEmpty()) {
                return new RemovalBatch(ids, last);
            }
            ids.add(candidate.position().id());
            last = candidate.position();
        }
        return new RemovalBatch(ids, ids.size() < rowsMax ? null : last);
    }

    private record Candidate(Position position, long mailBytes) {
        static Candidate read(ResultSet row) throws SQLException {
            Instant createdAt = row.getObject(2, OffsetDateTime.class).toInstant();
            return new Candidate(new Position(createdAt, row.getString(1)), row.getLong(3));
        }
    }
}
