package dev.oneshot.ingest.net;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetSocketInternal;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Waits for the header with which a load balancer starts a connection to name the client, then begins the session:
 * HAProxy's PROXY protocol, versions 1 and 2, by Netty's decoder. Bytes after the header go to the session.
 */
final class ProxyHeader {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** The most bytes of version 2's extensions, which are skipped. */
    private static final int EXTENSION_BYTES_MAX = 2048;

    private ProxyHeader() {}

    /**
     * Waits for the header of a connection.
     *
     * @param begin gets the client, or empty if the balancer itself connects
     * @param missing gets the reason when a connection without a header is closed
     */
    static void await(
            Vertx vertx, NetSocket accepted, Consumer<Optional<InetAddress>> begin, Consumer<String> missing) {
        NetSocketInternal socket = (NetSocketInternal) accepted;
        long timer = vertx.setTimer(TIMEOUT.toMillis(), _ -> {
            socket.close();
            missing.accept("no complete header for " + TIMEOUT.toSeconds() + " seconds");
        });
        // A health check that only opens the port is not reported.
        socket.endHandler(_ -> vertx.cancelTimer(timer));
        socket.exceptionHandler(failure -> {
            vertx.cancelTimer(timer);
            socket.close();
            if (failure instanceof DecoderException) {
                missing.accept("it sent something else");
            }
        });
        socket.messageHandler(header -> {
            vertx.cancelTimer(timer);
            socket.messageHandler(null);
            begin.accept(client((HAProxyMessage) header));
        });
        socket.channelHandlerContext().pipeline().addFirst(decoder());
    }

    static HAProxyMessageDecoder decoder() {
        return new HAProxyMessageDecoder(EXTENSION_BYTES_MAX);
    }

    /**
     * The client in a header, which is released; empty if the balancer itself connects, as for a health check. The zone of an
     * address (RFC 4007) is dropped: it has a meaning on the balancer only.
     */
    static Optional<InetAddress> client(HAProxyMessage header) {
        HAProxyProxiedProtocol protocol = header.proxiedProtocol();
        boolean named = protocol == HAProxyProxiedProtocol.TCP4 || protocol == HAProxyProxiedProtocol.TCP6;
        String source = header.sourceAddress();
        header.release();
        return named ? Optional.of(InetAddress.ofLiteral(source.split("%", 2)[0])) : Optional.empty();
    }
}
