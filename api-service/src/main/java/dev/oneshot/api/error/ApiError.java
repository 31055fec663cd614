package dev.oneshot.api.error;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A refusal as the client sees it.
 *
 * @param kind which of the refusals there are; what is not among them cannot be answered
 * @param message for a person; names the field and the bound. Never anything of the inside
 * @param headers that this refusal carries besides the envelope
 * @param upgradeUrl the pricing page, if there is no quota left; otherwise null
 */
public record ApiError(
        Kind kind,
        String message,
        Map<String, String> headers,
        @Nullable URI upgradeUrl) {

    /** The refusals there are, each with its HTTP status and the machine-readable code of the envelope. */
    public enum Kind {
        /** A request that is malformed or has a value out of range. */
        INVALID(400, "VALIDATION_ERROR"),
        /** No key, or one that is not valid (any more). */
        UNAUTHORIZED(401, "UNAUTHORIZED"),
        /** Allocation and credits are used up. */
        QUOTA_EXCEEDED(402, "QUOTA_EXCEEDED"),
        /** There is no such thing for this account, or not yet. */
        NOT_FOUND(404, "NOT_FOUND"),
        /** The method is not offered here. */
        METHOD_NOT_ALLOWED(405, "METHOD_NOT_ALLOWED"),
        /** The client accepts none of the types we could answer with. */
        NOT_ACCEPTABLE(406, "NOT_ACCEPTABLE"),
        /** The request did not come whole in time (RFC 9110 §15.5.9). */
        REQUEST_TIMEOUT(408, "REQUEST_TIMEOUT"),
        /** Something of the same name is under way. */
        CONFLICT(409, "CONFLICT"),
        /** The address has expired and its data is gone. */
        EXPIRED(410, "EXPIRED"),
        /** The body is over the absolute cap. */
        PAYLOAD_TOO_LARGE(413, "PAYLOAD_TOO_LARGE"),
        /** Path and query are longer than anything of ours. */
        URI_TOO_LONG(414, "URI_TOO_LONG"),
        /** The body is not JSON by its type. */
        UNSUPPORTED_MEDIA_TYPE(415, "UNSUPPORTED_MEDIA_TYPE"),
        /** A well-formed request beyond what the plan allows. */
        UNPROCESSABLE(422, "VALIDATION_ERROR"),
        /** Too many requests. */
        RATE_LIMITED(429, "RATE_LIMITED"),
        /** The fields of the header are larger than anything we read. */
        HEADER_TOO_LARGE(431, "HEADER_TOO_LARGE"),
        /** A failure of ours; what it was is in the log under the request id. */
        INTERNAL(500, "INTERNAL_ERROR"),
        /** The body is sent in a coding that we do not know (RFC 9112 §6.1). */
        NOT_IMPLEMENTED(501, "NOT_IMPLEMENTED"),
        /** Something we depend on is away or too busy. */
        UNAVAILABLE(503, "UNAVAILABLE");

        private final int status;
        private final String code;

        Kind(int status, String code) {
            this.status = status;
            this.code = code;
        }
    }

    public ApiError {
        headers = Map.copyOf(headers);
    }

    /** The HTTP status. */
    public int status() {
        return kind.status;
    }

    /** The machine-readable code of the envelope. */
    public String code() {
        return kind.code;
    }

    /** 400 with this message. */
    public static ApiError invalid(String message) {
        return of(Kind.INVALID, message, Map.of());
    }

    /** 401 with this message. */
    public static ApiError unauthorized(String message) {
        return of(Kind.UNAUTHORIZED, message, Map.of("WWW-Authenticate", "Bearer"));
    }

    /** 402 with this message, and where to get more. */
    public static ApiError quotaExceeded(String message, URI upgradeUrl) {
        return new ApiError(Kind.QUOTA_EXCEEDED, message, Map.of(), upgradeUrl);
    }

    /** 404 with this message. */
    public static ApiError notFound(String message) {
        return of(Kind.NOT_FOUND, message, Map.of());
    }

    /** 405, and what is allowed. */
    public static ApiError methodNotAllowed(List<String> allowed) {
        String methods = String.join(", ", allowed);
        return of(Kind.METHOD_NOT_ALLOWED, "this path allows " + methods, Map.of("Allow", methods));
    }

    /** 406, with the type that this path responds with. */
    public static ApiError notAcceptable(String type) {
        return of(Kind.NOT_ACCEPTABLE, "Accept must allow " + type, Map.of());
    }

    /** 408. Whoever answers it has the connection closed. */
    public static ApiError requestTimeout() {
        return of(Kind.REQUEST_TIMEOUT, "the request did not come whole in time", Map.of());
    }

    /** 409 with this message, and when to come back. */
    public static ApiError conflict(String message, Duration retryAfter) {
        return of(Kind.CONFLICT, message, retryAfter(retryAfter));
    }

    /** 410 with this message. */
    public static ApiError expired(String message) {
        return of(Kind.EXPIRED, message, Map.of());
    }

    /** 413, and what would be little enough. */
    public static ApiError payloadTooLarge(long bodyBytesMax) {
        return of(Kind.PAYLOAD_TOO_LARGE, "the body must have at most " + bodyBytesMax + " bytes", Map.of());
    }

    /** 413, where the bound is not known. */
    public static ApiError payloadTooLarge() {
        return of(Kind.PAYLOAD_TOO_LARGE, "the body is too large", Map.of());
    }

    /** 414, and what would be short enough. */
    public static ApiError uriTooLong(long targetBytesMax) {
        return of(Kind.URI_TOO_LONG, "path and query must have at most " + targetBytesMax + " bytes", Map.of());
    }

    /** 415 with this message. */
    public static ApiError unsupportedMediaType(String message) {
        return of(Kind.UNSUPPORTED_MEDIA_TYPE, message, Map.of());
    }

    /** 422 with this message. */
    public static ApiError unprocessable(String message) {
        return of(Kind.UNPROCESSABLE, message, Map.of());
    }

    /** 429 with this message, and when to come back. */
    public static ApiError rateLimited(String message, Duration retryAfter) {
        return of(Kind.RATE_LIMITED, message, retryAfter(retryAfter));
    }

    /** 431, and what would be little enough. */
    public static ApiError headerTooLarge(long headerBytesMax) {
        return of(Kind.HEADER_TOO_LARGE, "the header must have at most " + headerBytesMax + " bytes", Map.of());
    }

    /** 500. */
    public static ApiError internal() {
        return of(Kind.INTERNAL, "something went wrong on our side", Map.of());
    }

    /** 501 with this message. */
    public static ApiError notImplemented(String message) {
        return of(Kind.NOT_IMPLEMENTED, message, Map.of());
    }

    /** 503, and when to come back. */
    public static ApiError unavailable(Duration retryAfter) {
        return unavailable("the service is not available for the moment", retryAfter);
    }

    /** 503 with this message, and when to come back. */
    public static ApiError unavailable(String message, Duration retryAfter) {
        return of(Kind.UNAVAILABLE, message, retryAfter(retryAfter));
    }

    private static ApiError of(Kind kind, String message, Map<String, String> headers) {
        return new ApiError(kind, message, headers, null);
    }

    /** In whole seconds, and never at once. */
    private static Map<String, String> retryAfter(Duration duration) {
        long seconds = Math.max(1, Math.ceilDiv(duration.toMillis(), 1000L));
        return Map.of("Retry-After", Long.toString(seconds));
    }
}
