package dev.oneshot.api.error;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.Serial;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error response. Throwing it ends the request. Without a cause it has no stack trace, which would be most of the work under a
 * flood of bad requests.
 */
public class ApiException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Kind kind;
    private final transient Map<String, String> headers;
    private final transient @Nullable URI upgradeUrl;

    /** All errors, each with its HTTP status and its machine-readable code. */
    public enum Kind {
        /** A request that is malformed or has a value out of range. */
        INVALID(400, "VALIDATION_ERROR"),
        /** The key is missing or not valid. */
        UNAUTHORIZED(401, "UNAUTHORIZED"),
        /** Allocation and credits are used up. */
        QUOTA_EXCEEDED(402, "QUOTA_EXCEEDED"),
        /** The account has no such resource, or no mail has arrived yet. */
        NOT_FOUND(404, "NOT_FOUND"),
        /** The method is not offered here. */
        METHOD_NOT_ALLOWED(405, "METHOD_NOT_ALLOWED"),
        /** The client accepts no type of this response. */
        NOT_ACCEPTABLE(406, "NOT_ACCEPTABLE"),
        /** The request did not arrive completely in time (RFC 9110 §15.5.9). */
        REQUEST_TIMEOUT(408, "REQUEST_TIMEOUT"),
        /** A request with the same key is running. */
        CONFLICT(409, "CONFLICT"),
        /** The address has expired and its data is gone. */
        EXPIRED(410, "EXPIRED"),
        /** The body is over the absolute cap. */
        PAYLOAD_TOO_LARGE(413, "PAYLOAD_TOO_LARGE"),
        /** Path and query are too long. */
        URI_TOO_LONG(414, "URI_TOO_LONG"),
        /** The body is not JSON by its type. */
        UNSUPPORTED_MEDIA_TYPE(415, "UNSUPPORTED_MEDIA_TYPE"),
        /** A well-formed request beyond what the plan allows. */
        UNPROCESSABLE(422, "VALIDATION_ERROR"),
        /** Too many requests. */
        RATE_LIMITED(429, "RATE_LIMITED"),
        /** The header fields are too large. */
        HEADER_TOO_LARGE(431, "HEADER_TOO_LARGE"),
        /** An internal failure, logged under the request id. */
        INTERNAL(500, "INTERNAL_ERROR"),
        /** The transfer coding is unknown (RFC 9112 §6.1). */
        NOT_IMPLEMENTED(501, "NOT_IMPLEMENTED"),
        /** A dependency is unavailable or too busy. */
        UNAVAILABLE(503, "UNAVAILABLE");

        private final int status;
        private final String code;

        Kind(int status, String code) {
            this.status = status;
            this.code = code;
        }

        public int status() {
            return status;
        }

        public String code() {
            return code;
        }
    }

    /**
     * An error response.
     *
     * @param kind its status and code
     * @param message for people; names the member and the bound, and nothing internal
     * @param headers header fields of this response
     * @param upgradeUrl the pricing page, if there is no quota left; otherwise null
     * @param cause logged with the request; null if there is nothing to log
     */
    protected ApiException(
            Kind kind,
            String message,
            Map<String, String> headers,
            @Nullable URI upgradeUrl,
            @Nullable Throwable cause) {
        super(message, cause, false, cause != null);
        this.kind = kind;
        this.headers = headers;
        this.upgradeUrl = upgradeUrl;
    }

    /** The body of every response that is not a success. */
    @RegisterForReflection
    public record Body(Detail error) {

        /** The member {@code error}. */
        @RegisterForReflection
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public record Detail(
                String code, String message, @Nullable URI upgradeUrl) {}
    }

    public Body body() {
        return new Body(new Body.Detail(kind.code, String.valueOf(getMessage()), upgradeUrl));
    }

    public Kind kind() {
        return kind;
    }

    public Map<String, String> headers() {
        return headers;
    }

    public static ApiException invalid(String message) {
        return of(Kind.INVALID, message);
    }

    public static ApiException unauthorized(String message) {
        return of(Kind.UNAUTHORIZED, message, Map.of("WWW-Authenticate", "Bearer"));
    }

    /** 402 with this message, and where to get more. */
    public static ApiException quotaExceeded(String message, URI upgradeUrl) {
        return new ApiException(Kind.QUOTA_EXCEEDED, message, Map.of(), upgradeUrl, null);
    }

    public static ApiException methodNotAllowed(List<String> allowed) {
        String methods = String.join(", ", allowed);
        return of(Kind.METHOD_NOT_ALLOWED, "this path allows " + methods, Map.of("Allow", methods));
    }

    /** 406, with the type that this path responds with. */
    public static ApiException notAcceptable(String type) {
        return of(Kind.NOT_ACCEPTABLE, "Accept must allow " + type);
    }

    /** 408. The caller closes the connection. */
    public static ApiException requestTimeout() {
        return of(Kind.REQUEST_TIMEOUT, "the request did not arrive completely in time");
    }

    /** 413 with the limit. */
    public static ApiException payloadTooLarge(long bodyBytesMax) {
        return of(Kind.PAYLOAD_TOO_LARGE, "the body must have at most " + bodyBytesMax + " bytes");
    }

    public static ApiException unprocessable(String message) {
        return of(Kind.UNPROCESSABLE, message);
    }

    /** An error without header fields of its own. */
    public static ApiException of(Kind kind, String message) {
        return of(kind, message, Map.of());
    }

    /** An error with the time after which the client may retry. */
    public static ApiException of(Kind kind, String message, Duration retryAfter) {
        return of(kind, message, retryAfter(retryAfter));
    }

    private static ApiException of(Kind kind, String message, Map<String, String> headers) {
        return new ApiException(kind, message, headers, null, null);
    }

    /** The header field that says when to retry. */
    protected static Map<String, String> retryAfter(Duration duration) {
        return Map.of("Retry-After", Long.toString(wholeSeconds(duration)));
    }

    /** A duration in whole seconds, rounded up and at least 1, so that no client returns at once or too early. */
    public static long wholeSeconds(Duration duration) {
        return Math.max(1, duration.plusNanos(999_999_999).toSeconds());
    }
}
