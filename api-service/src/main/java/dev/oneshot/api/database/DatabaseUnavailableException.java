package dev.oneshot.api.database;

import dev.oneshot.api.error.ApiException;
import java.io.Serial;
import java.time.Duration;

/** The database is down, full or too busy. A later try may succeed. */
public final class DatabaseUnavailableException extends ApiException {

    @Serial
    private static final long serialVersionUID = 1L;

    DatabaseUnavailableException(Duration retryAfter, Throwable cause) {
        super(Kind.UNAVAILABLE, "the service is temporarily unavailable", retryAfter(retryAfter), null, cause);
    }
}
