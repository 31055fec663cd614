package dev.oneshot.api.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A refusal on its way to the client. Without a cause it has no stack trace: it is an answer, not a fault, and under a
 * flood of bad requests stack traces would be the greater part of the work.
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

    /** What the client is told. */
    public ApiError error() {
        return error;
    }

    /** 400 with this message. */
    public static ApiException invalid(String message) {
        return new ApiException(ApiError.invalid(message));
    }

    /** 422 with this message. */
    public static ApiException unprocessable(String message) {
        return new ApiException(ApiError.unprocessable(message));
    }

    /** 404 with this message. */
    public static ApiException notFound(String message) {
        return new ApiException(ApiError.notFound(message));
    }
}
