package dev.oneshot.api.paging;

import java.time.Instant;
import java.util.UUID;

/**
 * Where a page ended: the last row's place in the order {@code created_at DESC, id DESC}.
 *
 * @param createdAt to the microsecond, as PostgreSQL keeps it
 * @param id the row's key
 */
public record Position(Instant createdAt, String id) {

    /** Above all rows: where the first page begins. PostgreSQL's own infinity has no Instant. */
    public static final Position TOP = new Position(Instant.parse("9999-01-01T00:00:00Z"), new UUID(0, 0).toString());
}
