package dev.oneshot.api.http;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.quarkus.arc.Arc;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Puts {@link MalformedHttp} into every connection of HTTP/1.1, to the public port and to the management port, before what is
 * read first is decoded, of which there need not become a request.
 * Netty finds this class as a service if the property {@value #PROPERTY} says so, which {@link dev.oneshot.api.Main} sees to.
 */
@RegisterForReflection
public final class EdgeConnections extends ChannelInitializerExtension {

    /** Must be {@value #FOUND_AS_SERVICE} before the first server listens. */
    public static final String PROPERTY = "io.netty.bootstrap.extensions";

    /** The value of that property. */
    public static final String FOUND_AS_SERVICE = "serviceload";

    /** By then it is HTTP/2 (RFC 9113 §3.4) or it is not. */
    private static final int PREFACE_OCTETS = 24;

    /** For Netty. */
    public EdgeConnections() {}

    @Override
    public void postInitializeServerChildChannel(Channel connection) {
        connection.pipeline().addFirst(new Begin());
    }

    /**
     * Vert.x makes the pipeline when the connection is registered, so this waits for what is read first. Where HTTP/2 may be
     * spoken, as on the management port, Vert.x waits for that itself, puts a decoder in as soon as it knows which, and has it
     * read at once. So it gets octet by octet until it knows, of which no decoder makes anything before the line ends.
     */
    private static final class Begin extends ChannelInboundHandlerAdapter {

        private int octets;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ChannelPipeline pipeline = context.pipeline();
            if (message instanceof ByteBuf read && pipeline.context(HttpResponseEncoder.class) == null) {
                while (read.isReadable() && isUndecided(pipeline)) {
                    octets++;
                    context.fireChannelRead(read.readRetainedSlice(1));
                }
                if (isUndecided(pipeline)) {
                    read.release();
                    return;
                }
            }
            ChannelHandlerContext encoder = pipeline.context(HttpResponseEncoder.class);
            if (encoder != null) {
                MalformedRequests requests =
                        Arc.container().select(MalformedRequests.class).get();
                pipeline.addAfter(encoder.name(), null, new MalformedHttp(requests::answer));
            }
            pipeline.remove(this);
            context.fireChannelRead(message);
        }

        private boolean isUndecided(ChannelPipeline pipeline) {
            return octets < PREFACE_OCTETS && pipeline.context(HttpResponseEncoder.class) == null;
        }
    }
}
