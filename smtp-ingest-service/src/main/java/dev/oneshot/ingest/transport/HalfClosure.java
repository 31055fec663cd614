package dev.oneshot.ingest.transport;

import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetSocketInternal;

/** Tells a client that will say no more from one that is gone: Vert.x does not, but Netty below it does. */
final class HalfClosure {

    private HalfClosure() {}

    /**
     * Keeps a socket open when its client has shut down the side it sends on. To be called before that can be read.
     *
     * @param inputEnded told of it, while octets that came before may still wait to be read
     */
    static void watch(NetSocket socket, Runnable inputEnded) {
        NetSocketInternal inner = (NetSocketInternal) socket;
        inner.channelHandlerContext().channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        inner.eventHandler(event -> {
            if (event instanceof ChannelInputShutdownEvent) {
                inputEnded.run();
            }
        });
    }
}
