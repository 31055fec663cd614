package dev.oneshot.api.database;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import java.io.Serial;
import java.time.Duration;

/** The database is away, full or too busy: nothing was wrong with what was asked of it, so try again later. */
public final class DatabaseUnavailableException extends ApiException {

    @Serial
    private static final long serialVersionUID = 1L;

    DatabaseUnavailableException(Duration retryAfter, Throwable cause) {
        super(ApiError.unavailable(retryAfter), cause);
    }
}
