package dev.oneshot.api.body;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.api.request.RequestState;
import dev.oneshot.contracts.setting.ValidSetting;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;

/** Enforces limits on URI, header fields and declared body. */
@ApplicationScoped
public class RequestBounds {

    /**
     * The longest path and query; a label of 255 characters, all of them percent-encoded, and a cursor need some 3,300. The limits
     * of Quarkus are higher, and their responses have no body.
     */
    private static final int TARGET_BYTES_MAX = 8_000;

    private static final int HEADER_BYTES_MAX = 16 * 1024;

    /** Colon, space, carriage return and line feed. */
    private static final int FIELD_OVERHEAD = 4;

    private final long bodyBytesMax;

    RequestBounds(BodyConfig config) {
        this.bodyBytesMax =
                ValidSetting.atLeast("oneshot.http.body-max", config.bodyMax().asLongValue(), 1L);
    }

    /**
     * Requires a request within the limits. The bytes of the body are counted when they are read.
     *
     * @throws ApiException 400, 413, 414 or 431
     */
    public void requireWithin(HttpServerRequest request) {
        String target = request.uri();
        if (target.length() > TARGET_BYTES_MAX) {
            throw ApiException.of(Kind.URI_TOO_LONG, "path and query must have at most " + TARGET_BYTES_MAX + " bytes");
        }
        if (!isUri(target)) {
            throw ApiException.invalid("path and query must be a URI");
        }
        if (headerBytes(request) > HEADER_BYTES_MAX) {
            throw ApiException.of(Kind.HEADER_TOO_LARGE, "the header must have at most " + HEADER_BYTES_MAX + " bytes");
        }
        if (request.headers().getAll("Host").size() > 1) {
            // The router rejects a malformed or missing one (RFC 9112 §3.2).
            throw ApiException.invalid("the header Host must be given once");
        }
        if (declaredBytes(request) > bodyBytesMax) {
            throw ApiException.payloadTooLarge(bodyBytesMax);
        }
    }

    /**
     * Requires a body with a known end (RFC 9112 §6.1). Netty treats an unknown coding as no body, and would read the body as
     * the next request. It rejects both lengths together by itself.
     *
     * @throws ApiException 501
     */
    public static void requireFraming(HttpServerRequest request) {
        List<String> codings = request.headers().getAll("Transfer-Encoding");
        if (!codings.isEmpty() && (codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked"))) {
            throw ApiException.of(Kind.NOT_IMPLEMENTED, "Transfer-Encoding must be chunked, or not be given");
        }
    }

    /** The longest body that this request may have. */
    static long bodyBytesMax(RoutingContext request, long absolute) {
        return RequestState.of(request)
                .caller()
                .map(caller -> Math.min(absolute, caller.bodyBytesMax()))
                .orElse(absolute);
    }

    /**
     * Requires a body within the bounds.
     *
     * @param bytes of it that have arrived, or that were declared
     * @throws ApiException 413 above the absolute cap, 422 above the plan's bound
     */
    static void requireBody(RoutingContext request, long bytes, long absolute) {
        if (bytes > absolute) {
            throw ApiException.payloadTooLarge(absolute);
        }
        RequestState.of(request)
                .caller()
                .filter(caller -> bytes > caller.bodyBytesMax())
                .ifPresent(caller -> {
                    throw ApiException.unprocessable("the body must have at most " + caller.bodyBytesMax()
                            + " bytes on the plan " + caller.planName());
                });
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

    /** The value of Content-Length, which is only a hint. Netty accepts only digits. */
    public static long declaredBytes(HttpServerRequest request) {
        String declared = request.getHeader("Content-Length");
        return declared == null ? 0 : Long.parseLong(declared);
    }
}
