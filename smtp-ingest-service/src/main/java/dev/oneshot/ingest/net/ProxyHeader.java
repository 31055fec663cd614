package dev.oneshot.ingest.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header with which a load balancer starts a connection to name the client: HAProxy's PROXY protocol,
 * versions 1 and 2, by Netty's decoder.
 */
final class ProxyHeader {

    /** The most octets of version 2's extensions, which are skipped. */
    private static final int EXTENSION_BYTES_MAX = 2048;

    private final EmbeddedChannel decoder = new EmbeddedChannel(new HAProxyMessageDecoder(EXTENSION_BYTES_MAX));
    private @Nullable InetAddress client;

    /**
     * Reads further octets of the connection.
     *
     * @return the octets after the header; null if the header is not complete
     * @throws DecoderException if it is not a header
     */
    byte @Nullable [] read(byte[] octets) {
        if (!decoder.writeInbound(Unpooled.wrappedBuffer(octets))) {
            return null;
        }
        HAProxyMessage header = decoder.readInbound();
        HAProxyProxiedProtocol protocol = header.proxiedProtocol();
        if (protocol == HAProxyProxiedProtocol.TCP4 || protocol == HAProxyProxiedProtocol.TCP6) {
            client = InetAddress.ofLiteral(header.sourceAddress());
        }
        header.release();
        ByteBuf rest = decoder.readInbound();
        return rest == null ? new byte[0] : ByteBufUtil.getBytes(rest);
    }

    /** The client in a complete header; null if the balancer itself connects, as for a health check. */
    @Nullable
    InetAddress client() {
        return client;
    }
}
