package dev.oneshot.api.http;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.quarkus.arc.Arc;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Puts {@link MalformedHttp} into every connection to the public port before its first octet is read, of which there need not
 * become a request. On the management port HTTP/2 may be spoken, so that there is no decoder of HTTP/1.1 by then.
 * Netty finds this class as a service if the property {@value #PROPERTY} says so, which {@link dev.oneshot.api.Main} sees to.
 */
@RegisterForReflection
public final class EdgeConnections extends ChannelInitializerExtension {

    /** Must be {@value #FOUND_AS_SERVICE} before the first server listens. */
    public static final String PROPERTY = "io.netty.bootstrap.extensions";

    /** The value of that property. */
    public static final String FOUND_AS_SERVICE = "serviceload";

    /** For Netty. */
    public EdgeConnections() {}

    @Override
    public void postInitializeServerChildChannel(Channel connection) {
        connection.pipeline().addFirst(new Begin());
    }

    /** Vert.x makes the pipeline when the connection is registered, so this waits for what is read first. */
    private static final class Begin extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ChannelPipeline pipeline = context.pipeline();
            ChannelHandlerContext encoder = pipeline.context(HttpResponseEncoder.class);
            if (encoder != null) {
                MalformedRequests requests =
                        Arc.container().select(MalformedRequests.class).get();
                pipeline.addAfter(encoder.name(), null, new MalformedHttp(requests::answer));
            }
            pipeline.remove(this);
            context.fireChannelRead(message);
        }
    }
}
