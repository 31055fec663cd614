package dev.oneshot.api.address;

import dev.oneshot.contracts.event.AddressClosed;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * An address whose row was deleted, as it was last.
 *
 * @param isExpired whether its time had passed, by the database's clock
 */
record Removed(String id, Instant expiresAt, boolean isExpired, Status status, Mode mode) {

    /** What a deletion has to return. */
    static final String COLUMNS = "id, expires_at, expires_at <= now() AS expired, status, mode";

    /** What is said of it to those who would still take, or send, its mail; of an expired one its id says enough. */
    AddressClosed closed() {
        return new AddressClosed(id, AddressClosed.Reason.DELETED, expiresAt);
    }

    /** Runs a deletion that returns {@link #COLUMNS}. */
    static List<Removed> by(PreparedStatement delete) throws SQLException {
        List<Removed> removed = new ArrayList<>();
        try (ResultSet result = delete.executeQuery()) {
            while (result.next()) {
                removed.add(new Removed(
                        result.getString("id"),
                        result.getObject("expires_at", OffsetDateTime.class).toInstant(),
                        result.getBoolean("expired"),
                        Status.of(result.getString("status")).orElseThrow(),
                        Mode.of(result.getString("mode")).orElseThrow()));
            }
        }
        return removed;
    }
}
