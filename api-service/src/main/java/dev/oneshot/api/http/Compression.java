package dev.oneshot.api.http;

import dev.oneshot.api.request.RequestCheck;
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
 * Decides which responses Netty compresses for clients that accept it: JSON and files of the console that are large enough to
 * benefit. Downloads keep their Content-Length, and a strong ETag stands for one coding (RFC 9110 §8.8.3.3).
 */
@ApplicationScoped
class Compression {

    private static final int BYTES_MIN = 1024;
    private static final Set<String> TYPES =
            Set.of("application/json", "image/svg+xml", "text/css", "text/html", "text/javascript");
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
        // Quarkus sets identity on all responses, so Netty compresses none. Netty does not send the field.
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
        String etag = fields.get(HttpHeaderNames.ETAG);
        return type != null
                && TYPES.contains(type.split(";", 2)[0])
                // Only larger JSON is sent in chunks, without a length.
                && (length == null || Long.parseLong(length) >= BYTES_MIN)
                && !fields.contains(HttpHeaderNames.CONTENT_DISPOSITION)
                && (etag == null || etag.startsWith("W/"));
    }
}
