package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The end of a request: answered, or its client gone. What is held for a request is let go here, whichever comes first
 * of its end and the wish to be told of it, and on whatever thread.
 */
public final class RequestEnd {

    private static final long CLOSE_MILLIS = 2_000;

    /** What is rather dropped than have the client connect again. */
    private static final long DROPPED_BYTES_MAX = 64 * 1024;

    /** What is told to those whose bodies have no end that would be waited for. */
    private static final Set<ApiError.Kind> NEVER_READ_ON =
            EnumSet.of(ApiError.Kind.PAYLOAD_TOO_LARGE, ApiError.Kind.NOT_IMPLEMENTED, ApiError.Kind.REQUEST_TIMEOUT);

    private static final Set<HttpConnection> CLOSING =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));
    private static final String KEY = RequestEnd.class.getName();

    private final List<Runnable> waiting = new ArrayList<>();
    private boolean come;

    private RequestEnd() {}

    /** Runs something at the end of this request, or now if it has ended. It must neither block nor fail. */
    public static void then(RoutingContext request, Runnable action) {
        RequestEnd end = request.get(KEY);
        if (end == null) {
            throw new IllegalStateException("the request came past the edge");
        }
        if (!end.waits(action)) {
            action.run();
        }
    }

    /**
     * Sees to what is still to come of the body of a request that is refused, as the next request lies behind it (RFC 9112
     * §9.3): a short one is dropped as it comes; with a long one, of which nobody knows the end, the connection ends. To be
     * called before the answer is written.
     */
    static void leaveBody(RoutingContext request, ApiError error) {
        HttpServerRequest http = request.request();
        if (NEVER_READ_ON.contains(error.kind())) {
            closeConnection(request);
            return;
        }
        boolean isChunked = http.headers().contains("Transfer-Encoding");
        long declaredBytes = RequestBounds.declaredBytes(http);
        if ((!isChunked && declaredBytes == 0) || isDropped(http)) {
            return;
        }
        if (isChunked || declaredBytes > DROPPED_BYTES_MAX) {
            closeConnection(request);
        } else {
            closeUnlessDropped(request);
        }
    }

    /** Drops what has come and what comes from now on; true if that was all. */
    private static boolean isDropped(HttpServerRequest http) {
        if (http.isEnded()) {
            // A request of HTTP/2, as the management port takes, cannot be resumed then.
            return true;
        }
        http.handler(null);
        http.resume();
        return http.isEnded();
    }

    private static void closeUnlessDropped(RoutingContext request) {
        HttpServerRequest http = request.request();
        request.vertx().setTimer(CLOSE_MILLIS, timer -> {
            if (!isDropped(http)) {
                var _ = http.connection().close();
            }
        });
    }

    /** Whether nothing more is to be answered on this request's connection. To be asked before anything else. */
    static boolean isClosing(RoutingContext request) {
        return CLOSING.contains(request.request().connection());
    }

    /**
     * Has the connection closed once this request is answered, as the rest of its body is nobody's and the next request
     * could not be found behind it. Closing at once would reset a client that is still sending, before it has read the
     * answer.
     */
    static void closeConnection(RoutingContext request) {
        HttpServerRequest http = request.request();
        if (!CLOSING.add(http.connection())) {
            return;
        }
        if (!request.response().headWritten()) {
            request.response().putHeader("Connection", "close");
        }
        Vertx vertx = request.vertx();
        then(request, () -> {
            var _ = isDropped(http);
            vertx.setTimer(CLOSE_MILLIS, timer -> {
                var _ = http.connection().close();
            });
        });
    }

    /**
     * Ends a connection at once, whatever of an answer its client has not taken yet: Vert.x would have that written first, and
     * so wait for the client.
     */
    public static void breakOff(HttpConnection connection) {
        var _ = ((ConnectionBase) connection).channelHandlerContext().close();
    }

    /** To be called on the request's event loop, before anybody else sees it. */
    static void watch(RoutingContext request) {
        RequestEnd end = new RequestEnd();
        request.put(KEY, end);
        request.addEndHandler(ended -> end.come().forEach(Runnable::run));
    }

    /** Whether {@link #watch} was called. */
    static boolean isWatched(RoutingContext request) {
        return request.get(KEY) != null;
    }

    private synchronized boolean waits(Runnable action) {
        if (!come) {
            waiting.add(action);
        }
        return !come;
    }

    private synchronized List<Runnable> come() {
        come = true;
        List<Runnable> actions = List.copyOf(waiting);
        waiting.clear();
        return actions;
    }
}
