package dev.oneshot.api.http;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.quarkus.arc.Arc;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Applies {@link ConnectionLimits} to every connection; Quarkus gives no access to it before its first request. Netty finds
 * this class as a service if the property {@value #PROPERTY} says so, which {@link dev.oneshot.api.Main} sets.
 */
@RegisterForReflection
public final class LimitedConnections extends ChannelInitializerExtension {

    /** Must be {@value #FOUND_AS_SERVICE} before the first server listens. */
    public static final String PROPERTY = "io.netty.bootstrap.extensions";

    /** The value of that property. */
    public static final String FOUND_AS_SERVICE = "serviceload";

    /** For Netty. */
    public LimitedConnections() {}

    @Override
    public void postInitializeServerChildChannel(Channel channel) {
        ConnectionLimits limits = Arc.container().select(ConnectionLimits.class).get();
        channel.pipeline().addFirst(limits.handler());
    }
}
