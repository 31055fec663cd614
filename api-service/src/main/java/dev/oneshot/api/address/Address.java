package dev.oneshot.api.address;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An address as its owner sees it at one moment.
 *
 * @param id the local part
 * @param status by the database's clock: {@code EXPIRED} from {@code expiresAt} on, swept or not
 * @param createdAt to the microsecond
 * @param expiresAt in whole seconds
 * @param summary of its mail; null before it has one, and once it has expired
 */
public record Address(
        String id,
        Mode mode,
        Status status,
        Instant createdAt,
        Instant expiresAt,
        @Nullable String label,
        @Nullable EmailSummary summary) {}
