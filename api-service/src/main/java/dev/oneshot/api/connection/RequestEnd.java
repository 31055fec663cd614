package dev.oneshot.api.connection;

import dev.oneshot.api.body.RequestBounds;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.api.request.RequestState;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPromise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Ends requests and their connections: unread bodies, and connections that close after a response. */
public final class RequestEnd {

    /** After this time without a byte, the client has stopped, or its short body is complete. */
    private static final long CLOSE_MILLIS = 2_000;

    /** The longest time for which the rest of a body is discarded. */
    private static final long LINGER_MILLIS = 30_000;

    /** The largest unread body that is discarded, so that the client need not connect again. */
    private static final long DROPPED_BYTES_MAX = 64 * 1024;

    /** After these errors the rest of the body is not read as part of the request. */
    private static final Set<Kind> NEVER_READ_ON =
            EnumSet.of(Kind.PAYLOAD_TOO_LARGE, Kind.NOT_IMPLEMENTED, Kind.REQUEST_TIMEOUT);

    private static final Set<Integer> NO_CONTENT = Set.of(204, 304);

    private static final Set<HttpConnection> CLOSING =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    private RequestEnd() {}

    /**
     * Handles the unread body of a rejected request. The next request comes after it (RFC 9112 §9.3), so a short body is
     * discarded; otherwise the connection is closed. To be called before the response is written.
     */
    public static void leaveBody(RoutingContext request, ApiException error) {
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
            Vertx vertx = request.vertx();
            vertx.getOrCreateContext().runOnContext(_ -> closeWithoutBody(vertx, http));
        }
    }

    private static void closeWithoutBody(Vertx vertx, HttpServerRequest http) {
        if (http.isEnded()) {
            return;
        }
        long timer = vertx.setTimer(CLOSE_MILLIS, _ -> {
            if (!isDropped(http)) {
                var _ = http.connection().close();
            }
        });
        // A timer that is not cancelled keeps the request in memory until it is due.
        http.endHandler(_ -> vertx.cancelTimer(timer));
    }

    /** Discards the body; true if it was complete. */
    private static boolean isDropped(HttpServerRequest http) {
        if (http.isEnded()) {
            // A request of HTTP/2, which the management port takes, cannot be resumed at this point.
            return true;
        }
        http.handler(null);
        http.resume();
        return http.isEnded();
    }

    /** Whether the connection gets no more responses. To be checked before anything else. */
    public static boolean isClosing(RoutingContext request) {
        return CLOSING.contains(request.request().connection());
    }

    /**
     * Closes the connection after the response, when the client has stopped sending. Closing at once would reset a client that is
     * still sending, before it has read the response.
     */
    public static void closeConnection(RoutingContext request) {
        HttpServerRequest http = request.request();
        if (!CLOSING.add(http.connection())) {
            return;
        }
        if (!request.response().headWritten()) {
            request.response().putHeader("Connection", "close");
        }
        Vertx vertx = request.vertx();
        RequestState.of(request).atEnd(() -> lingerThenClose(vertx, http));
    }

    /** Discards bytes while they arrive. */
    private static void lingerThenClose(Vertx vertx, HttpServerRequest http) {
        AtomicLong received = new AtomicLong();
        AtomicLong leftMillis = new AtomicLong(LINGER_MILLIS);
        if (!http.isEnded()) {
            http.handler(bytes -> received.addAndGet(bytes.length()));
            http.resume();
        }
        vertx.setPeriodic(CLOSE_MILLIS, timer -> {
            if (received.getAndSet(0) == 0 || leftMillis.addAndGet(-CLOSE_MILLIS) <= 0) {
                vertx.cancelTimer(timer);
                var _ = http.connection().close();
            }
        });
    }

    /**
     * Ends a response whose length is not known to a client of HTTP/1.0 by closing the connection (RFC 9112 §6.3). Vert.x would keep
     * it open if the client asks for that. To be called when the header is complete.
     */
    public static void endContent(RoutingContext request) {
        HttpServerRequest http = request.request();
        HttpServerResponse response = request.response();
        if (http.version() == HttpVersion.HTTP_1_0
                && !http.method().equals(HttpMethod.HEAD)
                && !NO_CONTENT.contains(response.getStatusCode())
                && !response.headers().contains("Content-Length")) {
            response.putHeader("Connection", "close");
            RequestState.of(request).atEnd(() -> http.connection().close());
        }
    }

    /**
     * Closes the connection without a response. A request that waited behind another one may begin when its connection is already
     * closed. Nothing else would end it then, and a stop of the service would wait for it.
     */
    public static void abandon(HttpServerRequest http) {
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

    /**
     * Runs an action when all bytes that a connection was given are written to its socket, or it is closed; on its event loop. Vert.x
     * ends a response when its last bytes are queued.
     */
    public static void whenWritten(HttpConnection connection, Runnable action) {
        ConnectionBase http = (ConnectionBase) connection;
        ChannelPromise written = http.channelHandlerContext().newPromise();
        var _ = written.addListener(_ -> action.run());
        http.writeToChannel(Unpooled.EMPTY_BUFFER, written);
    }

    /** Whether bytes wait for the client to read them. */
    public static boolean isUntaken(HttpConnection connection) {
        return !((ConnectionBase) connection).channel().isWritable();
    }
}
