package dev.oneshot.api.paging;

import java.time.Instant;

/**
 * Where a page ended: the last row's place in the order {@code created_at DESC, id DESC}.
 *
 * @param createdAt to the microsecond, as PostgreSQL keeps it
 * @param id the row's key
 */
public record Position(Instant createdAt, String id) {}
