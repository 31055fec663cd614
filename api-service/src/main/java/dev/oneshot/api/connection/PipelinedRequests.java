package dev.oneshot.api.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Closes a connection when too many pipelined requests (RFC 9112 §9.3.2) wait on it: for an earlier request, or for their own
 * response to be written. Vert.x bounds neither. Runs on the event loop of its connection only.
 */
public final class PipelinedRequests extends ChannelDuplexHandler {

    /** Some 60 short requests. A request with a long body is not cut off: Vert.x reads at most 64 KiB of it while it waits. */
    private static final int WAITING_BYTES_MAX = 128 * 1024;

    /** The memory for a request without its target, header fields and body. */
    private static final int REQUEST_BYTES = 2 * 1024;

    /** The bytes of each request whose response is not written. The first request does not wait, so it counts as 0. */
    private final Deque<Integer> waiting = new ArrayDeque<>(List.of(0));

    private int waitingBytes;
    private boolean isClosed;

    private PipelinedRequests() {}

    /** Starts to watch the connection of a request in progress. */
    public static void watch(HttpServerRequest request) {
        ChannelHandlerContext http = ((ConnectionBase) request.connection()).channelHandlerContext();
        // A request that waited may begin when its connection is already closed.
        if (!http.isRemoved() && http.pipeline().get(PipelinedRequests.class) == null) {
            http.pipeline().addBefore(http.name(), null, new PipelinedRequests());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            waiting.add(0);
        }
        if (waiting.size() > 1) {
            int bytes = bytes(message);
            waiting.add(waiting.removeLast() + bytes);
            waitingBytes += bytes;
            isClosed |= waitingBytes > WAITING_BYTES_MAX;
        }
        if (isClosed) {
            ReferenceCountUtil.release(message);
            var _ = context.close();
        } else {
            context.fireChannelRead(message);
        }
    }

    private static int bytes(Object message) {
        return switch (message) {
            case HttpRequest request -> {
                int bytes = REQUEST_BYTES + request.uri().length();
                for (Map.Entry<String, String> field : request.headers()) {
                    bytes += field.getKey().length() + field.getValue().length();
                }
                yield bytes;
            }
            case HttpContent body -> body.content().readableBytes();
            default -> 0;
        };
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean isInterim = message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        boolean isLast = message instanceof LastHttpContent && !isInterim;
        var _ = context.write(message, isLast ? promise.unvoid().addListener(_ -> written()) : promise);
    }

    private void written() {
        Integer bytes = waiting.poll();
        waitingBytes -= bytes == null ? 0 : bytes;
    }
}
