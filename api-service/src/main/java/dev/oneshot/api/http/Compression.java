package dev.oneshot.api.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Set;

/**
 * Decides which responses Netty compresses for clients that accept it: JSON that is large enough to gain. Downloads keep their
 * Content-Length, and a strong ETag stands for one coding (RFC 9110 §8.8.3.3).
 */
@ApplicationScoped
class Compression {

    private static final int BYTES_MIN = 1024;
    private static final Set<Integer> WITHOUT_CONTENT = Set.of(204, 304);

    void filters(@Observes Filters filters) {
        RequestCheck.COMPRESSION.register(filters, Compression::filter);
    }

    private static void filter(RoutingContext request) {
        request.addHeadersEndHandler(_ -> decide(request));
        request.next();
    }

    private static void decide(RoutingContext request) {
        MultiMap fields = request.response().headers();
        // Quarkus sets it for all responses, which keeps Netty from compressing; Netty leaves it out.
        fields.remove(HttpHeaderNames.CONTENT_ENCODING);
        if (!isSentAsItIs(request)) {
            if (isCompressed(fields)) {
                fields.add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
            } else {
                fields.set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.IDENTITY);
            }
        }
    }

    /** Netty neither compresses these nor looks at their Content-Encoding. */
    private static boolean isSentAsItIs(RoutingContext request) {
        HttpServerRequest http = request.request();
        return http.method().equals(HttpMethod.HEAD)
                || http.version() == HttpVersion.HTTP_1_0
                || WITHOUT_CONTENT.contains(request.response().getStatusCode());
    }

    private static boolean isCompressed(MultiMap fields) {
        String type = fields.get(HttpHeaderNames.CONTENT_TYPE);
        String length = fields.get(HttpHeaderNames.CONTENT_LENGTH);
        return type != null
                && type.startsWith("application/json")
                // Without a length it is sent in chunks, which only larger JSON is.
                && (length == null || Long.parseLong(length) >= BYTES_MIN)
                && !fields.contains(HttpHeaderNames.CONTENT_DISPOSITION)
                && !fields.contains(HttpHeaderNames.ETAG);
    }
}
