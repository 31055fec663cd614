package dev.oneshot.api.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Ends a request with an error response. Without a cause it has no stack trace, which would be most of the work under a flood of
 * bad requests.
 */
public class ApiException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient ApiError error;

    public ApiException(ApiError error) {
        this(error, null);
    }

    public ApiException(ApiError error, @Nullable Throwable cause) {
        super(error.message(), cause, false, cause != null);
        this.error = error;
    }

    /** The error for the client. */
    public ApiError error() {
        return error;
    }

    /** An error with this message. */
    public static ApiException of(ApiError.Kind kind, String message) {
        return new ApiException(ApiError.of(kind, message));
    }

    /** 400 with this message. */
    public static ApiException invalid(String message) {
        return of(ApiError.Kind.INVALID, message);
    }

    /** 422 with this message. */
    public static ApiException unprocessable(String message) {
        return of(ApiError.Kind.UNPROCESSABLE, message);
    }

    /** 404 with this message. */
    public static ApiException notFound(String message) {
        return of(ApiError.Kind.NOT_FOUND, message);
    }
}
