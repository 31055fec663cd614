package dev.oneshot.api.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;

/**
 * The end of a request: its response is sent, or its client has disconnected. Runs callbacks when the request ends, or at
 * once if it has ended, on any thread.
 */
public final class RequestEnd {

    /** How long the rest of a body is discarded, so that a client that still sends can read the response. */
    private static final long DISCARD_MILLIS = 30_000;

    private static final Set<HttpConnection> CLOSING =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));
    private static final String KEY = RequestEnd.class.getName();

    private RequestEnd() {}

    /** Runs something at the end of this request, or now if it has ended. It must neither block nor fail. */
    public static void then(RoutingContext request, Runnable action) {
        CompletableFuture<Void> end = request.get(KEY);
        if (end == null) {
            throw new IllegalStateException("the request has not passed RequestFilters");
        }
        var _ = end.thenRun(action);
    }

    /**
     * Discards what follows of the body of a rejected request, as the next request comes after it (RFC 9112 §9.3). Closes the
     * connection if that takes too long.
     */
    static void discardBody(RoutingContext request) {
        HttpServerRequest http = request.request();
        if (http.headers().contains(HttpHeaders.EXPECT) && !http.isEnded()) {
            // The client may send the body or the next request, and nothing tells which.
            closeConnection(request);
            return;
        }
        // Elsewhere a body could end between two of the steps.
        ((ConnectionBase) http.connection()).getContext().execute(() -> discardBody(request.vertx(), http));
    }

    private static void discardBody(Vertx vertx, HttpServerRequest http) {
        if (http.isEnded()) {
            // A request of HTTP/2, as the management port takes, cannot be resumed then.
            return;
        }
        http.handler(null).resume();
        if (http.isEnded()) {
            // All of it had arrived while the request was paused.
            return;
        }
        long timer = vertx.setTimer(DISCARD_MILLIS, _ -> {
            var _ = http.connection().close();
        });
        var _ = http.end().onComplete(_ -> vertx.cancelTimer(timer));
    }

    /** Closes the connection after the response, as the bytes that follow may not be a request. */
    static void closeConnection(RoutingContext request) {
        HttpConnection connection = request.request().connection();
        CLOSING.add(connection);
        request.response().putHeader("Connection", "close");
        then(request, () -> {
            var _ = connection.close();
        });
    }

    /** Whether the connection gets no more responses. To be checked before anything else. */
    static boolean isClosing(RoutingContext request) {
        return CLOSING.contains(request.request().connection());
    }

    /**
     * Closes the connection without a response. A request that waited behind another one may begin when its connection is already
     * closed. Nothing else would end it then, and a stop of the service would wait for it.
     */
    static void abandon(HttpServerRequest http) {
        HttpServerResponse response = http.response();
        var _ = http.connection().close().onComplete(closed -> {
            if (!response.ended() && !response.closed()) {
                var _ = response.setStatusCode(400).end();
            }
        });
    }

    /**
     * Ends a connection at once. Vert.x would first write the rest of a response, and wait for the client.
     */
    public static void breakOff(HttpConnection connection) {
        var _ = ((ConnectionBase) connection).channelHandlerContext().close();
    }

    /** To be called on the request's event loop, before all other handlers. */
    static void watch(RoutingContext request) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        request.put(KEY, end);
        request.addEndHandler(ended -> end.complete(null));
    }

    /** Whether {@link #watch} was called. */
    static boolean isWatched(RoutingContext request) {
        return request.get(KEY) != null;
    }
}
