package dev.oneshot.api.paging;

import java.time.Instant;
import java.util.UUID;

/**
 * A place in the order {@code created_at DESC, id DESC}. A page has the rows after it.
 *
 * @param createdAt to the microsecond, as PostgreSQL keeps it
 * @param id the row's key
 */
public record Position(Instant createdAt, String id) {

    /** Before all rows: the first page begins here. An Instant cannot be PostgreSQL's infinity. */
    public static final Position TOP = new Position(Instant.parse("9999-01-01T00:00:00Z"), new UUID(0, 0).toString());
}
