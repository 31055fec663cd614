package dev.oneshot.api.connection;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.quarkus.arc.Arc;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Applies {@link ConnectionLimits} to every connection; Quarkus gives no access to a connection before its first request. Netty finds
 * this class as a service.
 */
@RegisterForReflection
public final class LimitedConnections extends ChannelInitializerExtension {

    /** Makes Netty load this class as a service. Call it before the first server listens. */
    public static void enable() {
        System.setProperty("io.netty.bootstrap.extensions", "serviceload");
    }

    @Override
    public void postInitializeServerChildChannel(Channel channel) {
        ConnectionLimits limits = Arc.container().select(ConnectionLimits.class).get();
        channel.pipeline().addFirst(limits);
    }
}
