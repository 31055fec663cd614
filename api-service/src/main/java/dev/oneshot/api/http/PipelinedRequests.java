package dev.oneshot.api.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;

/**
 * Closes a connection when too many pipelined requests (RFC 9112 §9.3.2) wait on it. Vert.x bounds neither the requests behind the one in
 * progress, nor the responses that the client does not read. Runs on the event loop of its connection only.
 */
final class PipelinedRequests extends ChannelDuplexHandler {

    /** For the requests behind the first. */
    private static final int WAITING_BYTES_MAX = 64 * 1024;

    /** The memory for a request besides its target and its header fields. */
    private static final int REQUEST_BYTES = 1024;

    /** The bytes of each request whose response is not sent. */
    private final Queue<Integer> waiting = new ArrayDeque<>();

    private int waitingBytes;
    private boolean isClosed;

    private PipelinedRequests() {}

    /** Watches a connection from its first request on. */
    static void watch(ChannelHandlerContext http) {
        // A request that waited may begin when its connection is already closed.
        if (!http.isRemoved() && http.pipeline().get(PipelinedRequests.class) == null) {
            http.pipeline().addBefore(http.name(), null, new PipelinedRequests());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            int bytes = waiting.isEmpty() ? 0 : bytes(request);
            waiting.add(bytes);
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

    private static int bytes(HttpRequest request) {
        int bytes = REQUEST_BYTES + request.uri().length();
        for (Map.Entry<String, String> field : request.headers()) {
            bytes += field.getKey().length() + field.getValue().length();
        }
        return bytes;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean isInterim = message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        boolean isLast = message instanceof LastHttpContent && !isInterim;
        var _ = context.write(message, isLast ? promise.unvoid().addListener(_ -> sent()) : promise);
    }

    private void sent() {
        Integer bytes = waiting.poll();
        waitingBytes -= bytes == null ? 0 : bytes;
    }
}
