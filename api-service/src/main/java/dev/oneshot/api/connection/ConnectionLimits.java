package dev.oneshot.api.connection;

import dev.oneshot.contracts.setting.ValidSetting;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.AttributeKey;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.Startup;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Bounds the connections to the public port and to the management port, so that no client without a key can keep others from
 * connecting.
 */
@Startup
@Unremovable
@Singleton
@Sharable
public class ConnectionLimits extends ChannelInboundHandlerAdapter {

    private static final AttributeKey<PortConnections.Connection> CONNECTION =
            AttributeKey.valueOf(ConnectionLimits.class, "connection");

    /** Closes the connection, unless a request begins before. */
    private static final AttributeKey<Future<?>> DEADLINE = AttributeKey.valueOf(ConnectionLimits.class, "deadline");

    /**
     * An IP address or a network. Quarkus also takes names, which it resolves at each request, and addresses with a port: neither
     * is known when a connection opens.
     */
    private static final Pattern NETWORK =
            Pattern.compile("[0-9.]+(/[0-9]+)?|[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(/[0-9]+)?");

    private final ConnectionConfig config;
    private final List<IpSubnetFilterRule> trustedProxies;
    private final MeterRegistry metrics;
    private final Meter.MeterProvider<Counter> closed;
    private final Map<Integer, PortConnections> ports = new ConcurrentHashMap<>();

    ConnectionLimits(
            ConnectionConfig config,
            @ConfigProperty(name = "quarkus.http.proxy.trusted-proxies") Optional<List<String>> trustedProxies,
            MeterRegistry metrics) {
        ValidSetting.atLeast("oneshot.http.connections-max", config.connectionsMax(), 1);
        ValidSetting.atLeast("oneshot.http.connections-per-client-max", config.connectionsPerClientMax(), 1);
        ValidSetting.require(config.headerReceive().isPositive(), "oneshot.http.header-receive must be positive");
        this.config = config;
        this.trustedProxies = trustedProxies.orElse(List.of()).stream()
                .map(String::strip)
                .filter(proxy -> NETWORK.matcher(proxy).matches())
                .map(ConnectionLimits::network)
                .toList();
        this.metrics = metrics;
        this.closed = Counter.builder("oneshot.http.connections.closed")
                .description("Connections closed at a limit: of the client network, of the port, or of the time for the"
                        + " first request's header")
                .withRegistry(metrics);
        for (PortConnections.Bound bound : PortConnections.Bound.values()) {
            counter(bound);
        }
    }

    /** Notes that a request begins on its connection; false if that has just been closed for another one. */
    public static boolean begin(RoutingContext request) {
        Channel channel = ((ConnectionBase) request.request().connection()).channel();
        PortConnections.Connection connection = channel.attr(CONNECTION).get();
        if (connection == null) {
            // Only in a test in process: its main class has not prepared Netty.
            return true;
        }
        channel.attr(DEADLINE).get().cancel(false);
        request.addEndHandler(ended -> connection.endRequest());
        return connection.beginRequest();
    }

    /** Applies the limits to a new connection. */
    @Override
    public void channelActive(ChannelHandlerContext context) {
        admit(context.channel());
        context.fireChannelActive();
        context.pipeline().remove(this);
    }

    private void admit(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress client)
                || !(channel.localAddress() instanceof InetSocketAddress local)) {
            return;
        }
        Runnable close = () -> {
            var _ = channel.close();
        };
        boolean isTrustedProxy = trustedProxies.stream().anyMatch(proxy -> proxy.matches(client));
        PortConnections.Connection connection = ports.computeIfAbsent(local.getPort(), this::port)
                .admit(ClientNetwork.of(client.getAddress()), isTrustedProxy, close);
        if (connection == null) {
            close.run();
            return;
        }
        channel.attr(CONNECTION).set(connection);
        Runnable closeWithoutRequest = () -> {
            counter(PortConnections.Bound.HEADER).increment();
            close.run();
        };
        Future<?> deadline = channel.eventLoop()
                .schedule(closeWithoutRequest, config.headerReceive().toNanos(), TimeUnit.NANOSECONDS);
        channel.attr(DEADLINE).set(deadline);
        var _ = channel.closeFuture().addListener(_ -> {
            connection.leave();
            // A timer that is not cancelled keeps the channel's memory until it is due.
            deadline.cancel(false);
        });
    }

    private PortConnections port(int number) {
        PortConnections port = new PortConnections(
                config.connectionsMax(),
                config.connectionsPerClientMax(),
                bound -> counter(bound).increment());
        Gauge.builder("oneshot.http.connections", port, PortConnections::open)
                .description("Open connections, by port")
                .tag("port", String.valueOf(number))
                .register(metrics);
        return port;
    }

    private Counter counter(PortConnections.Bound bound) {
        return closed.withTag("bound", bound.name().toLowerCase(Locale.ROOT));
    }

    private static IpSubnetFilterRule network(String text) {
        String whole = text.contains("/") ? text : text + (text.contains(":") ? "/128" : "/32");
        return new IpSubnetFilterRule(whole, IpFilterRuleType.ACCEPT);
    }
}
