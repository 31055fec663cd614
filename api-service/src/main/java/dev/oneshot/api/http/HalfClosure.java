package dev.oneshot.api.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Lets a client that has sent whole requests and shut down the side it sends on (RFC 9112 §9.6) hear all its answers: Vert.x
 * takes it for gone, Netty below it can tell. Whoever does so in the middle of a request is gone. Runs on the connection's
 * event loop.
 */
final class HalfClosure extends ChannelDuplexHandler {

    /** Whole requests of which the answers have not been written. */
    private int unanswered;

    private boolean isReceiving;
    private boolean isEnded;

    private HalfClosure(boolean isReceiving) {
        this.isReceiving = isReceiving;
        this.unanswered = isReceiving ? 0 : 1;
    }

    /** To be called on the event loop with every request, before it is answered; the first one of a connection matters. */
    static void allow(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            // It says in frames of its own what is over. Java's client upgrades to it on the management port.
            return;
        }
        ConnectionBase connection = (ConnectionBase) request.connection();
        ChannelPipeline pipeline = connection.channel().pipeline();
        if (pipeline.get(HalfClosure.class) == null
                && !connection.channelHandlerContext().isRemoved()) {
            connection.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            pipeline.addBefore(connection.channelHandlerContext().name(), null, new HalfClosure(!request.isEnded()));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            isReceiving = true;
        }
        if (message instanceof LastHttpContent && isReceiving) {
            isReceiving = false;
            unanswered++;
        }
        context.fireChannelRead(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            isEnded = true;
            closeIfAllIsAnswered(context);
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (!(message instanceof LastHttpContent) || isInterim(message)) {
            var _ = context.write(message, promise);
            return;
        }
        var _ = context.write(message, promise.unvoid().addListener(written -> {
            // Below 0 for a while if the answer came before the end of the request.
            unanswered--;
            closeIfAllIsAnswered(context);
        }));
    }

    private static boolean isInterim(Object message) {
        return message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    }

    private void closeIfAllIsAnswered(ChannelHandlerContext context) {
        if (isEnded && unanswered <= 0) {
            var _ = context.close();
        }
    }
}
