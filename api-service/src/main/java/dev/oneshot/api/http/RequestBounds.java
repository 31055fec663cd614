package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a request must be before anybody looks for what it asks for: no larger than we read, and to a URI. */
@ApplicationScoped
class RequestBounds {

    /** Colon, space, carriage return and line feed. */
    private static final int FIELD_OVERHEAD = 4;

    private final int targetBytesMax;
    private final long headerBytesMax;
    private final long bodyBytesMax;

    RequestBounds(HttpConfig config) {
        this.targetBytesMax = config.targetMax();
        this.headerBytesMax = config.headerMax().asLongValue();
        this.bodyBytesMax = config.bodyMax().asLongValue();
        require(targetBytesMax >= 1, "target-max");
        require(headerBytesMax >= 1, "header-max");
        require(bodyBytesMax >= 1, "body-max");
    }

    /** Why a request cannot be served, if so. Its body is not looked at: whoever reads that counts. */
    Optional<ApiError> check(HttpServerRequest request) {
        String target = request.uri();
        if (target.length() > targetBytesMax) {
            return Optional.of(ApiError.uriTooLong(targetBytesMax));
        }
        if (!isUri(target)) {
            return Optional.of(ApiError.invalid("path and query must be a URI"));
        }
        if (headerBytes(request) > headerBytesMax) {
            return Optional.of(ApiError.headerTooLarge(headerBytesMax));
        }
        if (request.headers().getAll("Host").size() > 1) {
            // One that is none, or missing, is refused by the router (RFC 9112 §3.2).
            return Optional.of(ApiError.invalid("the header Host must be given once"));
        }
        return declaredBytes(request) > bodyBytesMax
                ? Optional.of(ApiError.payloadTooLarge(bodyBytesMax))
                : Optional.empty();
    }

    /**
     * Why nobody can tell where a request's body ends (RFC 9112 §6.1), if so. Netty takes a coding that it does not know for no
     * body at all, and what is in the body for the next request. Both lengths together it refuses by itself.
     */
    Optional<ApiError> checkFraming(HttpServerRequest request) {
        List<String> codings = request.headers().getAll("Transfer-Encoding");
        return codings.isEmpty() || (codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked"))
                ? Optional.empty()
                : Optional.of(ApiError.notImplemented("Transfer-Encoding must be chunked, or not be given"));
    }

    private static boolean isUri(String target) {
        if (!target.chars().allMatch(c -> c < 0x80)) {
            return false;
        }
        try {
            var _ = new URI(target);
            return true;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static long headerBytes(HttpServerRequest request) {
        long bytes = 0;
        for (Map.Entry<String, String> field : request.headers()) {
            bytes += field.getKey().length() + field.getValue().length() + FIELD_OVERHEAD;
        }
        return bytes;
    }

    /** What Content-Length says, which is only a hint. Netty lets digits pass only. */
    static long declaredBytes(HttpServerRequest request) {
        String declared = request.getHeader("Content-Length");
        return declared == null ? 0 : Long.parseLong(declared);
    }

    private static void require(boolean holds, String name) {
        if (!holds) {
            throw new IllegalArgumentException("oneshot.http." + name + " must be at least 1");
        }
    }
}
