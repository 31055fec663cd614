package dev.oneshot.api.address;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** An address whose row was deleted, as it was last. */
record Removed(String id, Instant expiresAt, Status status, Mode mode) {

    /** What a deletion has to return. */
    static final String COLUMNS = "id, expires_at, status, mode";

    /** Runs a deletion that returns {@link #COLUMNS}. */
    static List<Removed> by(PreparedStatement delete) throws SQLException {
        List<Removed> removed = new ArrayList<>();
        try (ResultSet result = delete.executeQuery()) {
            while (result.next()) {
                removed.add(new Removed(
                        result.getString("id"),
                        result.getObject("expires_at", OffsetDateTime.class).toInstant(),
                        Status.of(result.getString("status")).orElseThrow(),
                        Mode.of(result.getString("mode")).orElseThrow()));
            }
        }
        return removed;
    }
}
