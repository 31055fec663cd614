package dev.oneshot.api.error;

import jakarta.ws.rs.WebApplicationException;
import org.jboss.logging.Logger;

/** The one place where an exception becomes an error response. */
public final class ErrorTranslation {

    private static final Logger LOG = Logger.getLogger(ErrorTranslation.class);

    private ErrorTranslation() {}

    /**
     * The error for a failure. Internal failures are logged here with the request id; rejections are not.
     *
     * @param requestId for the log
     */
    public static ApiError of(Throwable failure, String requestId) {
        return switch (failure) {
            case ApiException refused -> logged(refused, requestId);
            case WebApplicationException framework ->
                ofStatus(framework.getResponse().getStatus(), framework, requestId);
            default -> internal(failure, requestId);
        };
    }

    /** The error in place of a framework's response with this bare status. */
    public static ApiError ofStatus(int status, Throwable failure, String requestId) {
        return switch (status) {
            case 404 -> ApiError.of(ApiError.Kind.NOT_FOUND, "there is nothing at this path");
            case 406 -> ApiError.notAcceptable("application/json");
            case 413 -> ApiError.of(ApiError.Kind.PAYLOAD_TOO_LARGE, "the body is too large");
            case 415 -> ApiError.of(ApiError.Kind.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json");
            default ->
                status >= 400 && status < 500
                        ? ApiError.of(ApiError.Kind.INVALID, "the request is malformed")
                        : internal(failure, requestId);
        };
    }

    /** In one line: while a dependency is unavailable, every request ends here. */
    private static ApiError logged(ApiException refused, String requestId) {
        if (refused.getCause() != null) {
            LOG.warnf(
                    "request refused status=%d requestId=%s cause=%s",
                    refused.error().status(), requestId, refused.getCause());
        }
        return refused.error();
    }

    private static ApiError internal(Throwable failure, String requestId) {
        LOG.errorf(failure, "request failed requestId=%s", requestId);
        return ApiError.of(ApiError.Kind.INTERNAL, "something went wrong on our side");
    }
}
