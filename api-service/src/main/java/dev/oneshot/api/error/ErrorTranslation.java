package dev.oneshot.api.error;

import jakarta.ws.rs.WebApplicationException;
import org.jboss.logging.Logger;

/** The one place where an exception becomes what the client is told. */
public final class ErrorTranslation {

    private static final Logger LOG = Logger.getLogger(ErrorTranslation.class);

    private ErrorTranslation() {}

    /**
     * What to answer for a failure. Failures of ours are logged here, with the request id; refusals are not.
     *
     * @param failure whatever came up
     * @param requestId under which the log line is found
     */
    public static ApiError of(Throwable failure, String requestId) {
        return switch (failure) {
            case ApiException refused -> logged(refused, requestId);
            case WebApplicationException framework ->
                ofStatus(framework.getResponse().getStatus(), framework, requestId);
            default -> internal(failure, requestId);
        };
    }

    /** What to answer where a framework would answer with this bare status. */
    public static ApiError ofStatus(int status, Throwable failure, String requestId) {
        return switch (status) {
            case 404 -> ApiError.notFound("there is nothing at this path");
            case 406 -> ApiError.notAcceptable("application/json");
            case 413 -> ApiError.payloadTooLarge();
            case 415 -> ApiError.unsupportedMediaType("Content-Type must be application/json");
            default ->
                status >= 400 && status < 500
                        ? ApiError.invalid("the request is malformed")
                        : internal(failure, requestId);
        };
    }

    /** In one line: while a dependency is away, every request ends here. */
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
        return ApiError.internal();
    }
}
