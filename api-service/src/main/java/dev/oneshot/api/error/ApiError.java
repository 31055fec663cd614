package dev.oneshot.api.error;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A refusal as the client sees it: status, code, message and the headers that belong to it. The set is closed; what is
 * not here cannot be answered.
 */
public sealed interface ApiError {

    /** The HTTP status. */
    int status();

    /** The machine-readable code of the envelope. */
    String code();

    /** For a person; names the field and the bound. Never anything of the inside. */
    String message();

    /** The headers this refusal carries besides the envelope. */
    default Map<String, String> headers() {
        return Map.of();
    }

    /** A request that is malformed or has a value out of range: 400. */
    record Invalid(String message) implements ApiError {
        @Override
        public int status() {
            return 400;
        }

        @Override
        public String code() {
            return "VALIDATION_ERROR";
        }
    }

    /** A well-formed request beyond what the plan allows: 422. */
    record Unprocessable(String message) implements ApiError {
        @Override
        public int status() {
            return 422;
        }

        @Override
        public String code() {
            return "VALIDATION_ERROR";
        }
    }

    /** No key, or one that is not valid (any more): 401. */
    record Unauthorized(String message) implements ApiError {
        @Override
        public int status() {
            return 401;
        }

        @Override
        public String code() {
            return "UNAUTHORIZED";
        }

        @Override
        public Map<String, String> headers() {
            return Map.of("WWW-Authenticate", "Bearer");
        }
    }

    /** Allocation and credits are used up: 402. */
    record QuotaExceeded(String message, URI upgradeUrl) implements ApiError {
        @Override
        public int status() {
            return 402;
        }

        @Override
        public String code() {
            return "QUOTA_EXCEEDED";
        }
    }

    /** There is no such thing for this account, or not yet: 404. */
    record NotFound(String message) implements ApiError {
        @Override
        public int status() {
            return 404;
        }

        @Override
        public String code() {
            return "NOT_FOUND";
        }
    }

    /** The address has expired and its data is gone: 410. */
    record Expired(String message) implements ApiError {
        @Override
        public int status() {
            return 410;
        }

        @Override
        public String code() {
            return "EXPIRED";
        }
    }

    /** The method is not offered here: 405. */
    record MethodNotAllowed(List<String> allowed) implements ApiError {
        public MethodNotAllowed {
            allowed = List.copyOf(allowed);
        }

        @Override
        public int status() {
            return 405;
        }

        @Override
        public String code() {
            return "METHOD_NOT_ALLOWED";
        }

        @Override
        public String message() {
            return "this path allows " + String.join(", ", allowed);
        }

        @Override
        public Map<String, String> headers() {
            return Map.of("Allow", String.join(", ", allowed));
        }
    }

    /** The client accepts none of the types we could answer with: 406. */
    record NotAcceptable(String message) implements ApiError {
        @Override
        public int status() {
            return 406;
        }

        @Override
        public String code() {
            return "NOT_ACCEPTABLE";
        }
    }

    /** Something of the same name is under way: 409. */
    record Conflict(String message) implements ApiError {
        @Override
        public int status() {
            return 409;
        }

        @Override
        public String code() {
            return "CONFLICT";
        }
    }

    /** The body is over the absolute cap: 413. */
    record PayloadTooLarge(long bodyBytesMax) implements ApiError {
        @Override
        public int status() {
            return 413;
        }

        @Override
        public String code() {
            return "PAYLOAD_TOO_LARGE";
        }

        @Override
        public String message() {
            return "the body must have at most " + bodyBytesMax + " bytes";
        }
    }

    /** The body is not JSON by its type: 415. */
    record UnsupportedMediaType(String message) implements ApiError {
        @Override
        public int status() {
            return 415;
        }

        @Override
        public String code() {
            return "UNSUPPORTED_MEDIA_TYPE";
        }
    }

    /** The asked for range lies outside of the content: 416 (RFC 9110 §15.5.17). */
    record RangeNotSatisfiable(long contentBytes) implements ApiError {
        @Override
        public int status() {
            return 416;
        }

        @Override
        public String code() {
            return "RANGE_NOT_SATISFIABLE";
        }

        @Override
        public String message() {
            return "the range lies outside of the content's " + contentBytes + " bytes";
        }

        @Override
        public Map<String, String> headers() {
            return Map.of("Content-Range", "bytes */" + contentBytes);
        }
    }

    /** Too many requests: 429. */
    record RateLimited(String message, Duration retryAfter) implements ApiError {
        @Override
        public int status() {
            return 429;
        }

        @Override
        public String code() {
            return "RATE_LIMITED";
        }

        @Override
        public Map<String, String> headers() {
            return Map.of("Retry-After", wholeSeconds(retryAfter));
        }
    }

    /** A failure of ours; what it was is in the log under the request id: 500. */
    record Internal() implements ApiError {
        @Override
        public int status() {
            return 500;
        }

        @Override
        public String code() {
            return "INTERNAL_ERROR";
        }

        @Override
        public String message() {
            return "something went wrong on our side";
        }
    }

    /** Something we depend on is away or too busy: 503. */
    record Unavailable(Duration retryAfter) implements ApiError {
        @Override
        public int status() {
            return 503;
        }

        @Override
        public String code() {
            return "UNAVAILABLE";
        }

        @Override
        public String message() {
            return "the service is not available for the moment";
        }

        @Override
        public Map<String, String> headers() {
            return Map.of("Retry-After", wholeSeconds(retryAfter));
        }
    }

    private static String wholeSeconds(Duration duration) {
        return Long.toString(Math.max(1, Math.ceilDiv(duration.toMillis(), 1000L)));
    }
}
