package dev.oneshot.api.http;

import io.vertx.ext.web.RoutingContext;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id of a request in the logs: the client's, if it sent a valid one, otherwise a random one. */
public final class RequestId {

    /** The header field of requests and responses. */
    public static final String HEADER = "X-Request-Id";

    private static final String KEY = RequestId.class.getName();
    private static final Pattern SANE = Pattern.compile("[!-~]{1,128}");

    private RequestId() {}

    /** The id of a request. */
    public static String of(RoutingContext request) {
        @Nullable String id = request.get(KEY);
        return id == null ? assign(request) : id;
    }

    /** Assigns an id to the request, which its response carries. */
    static String assign(RoutingContext request) {
        String sent = request.request().getHeader(HEADER);
        String id = sent != null && SANE.matcher(sent).matches()
                ? sent
                : UUID.randomUUID().toString().replace("-", "");
        request.put(KEY, id);
        request.addHeadersEndHandler(done -> request.response().putHeader(HEADER, id));
        return id;
    }
}
