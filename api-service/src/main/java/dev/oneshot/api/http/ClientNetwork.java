package dev.oneshot.api.http;

import io.vertx.core.net.SocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** One client: an IPv4 address, or the first 64 bits of an IPv6 address, as a provider assigns whole /64s. */
public record ClientNetwork(String text) {

    private static final int IPV6_NETWORK_BYTES = 8;

    /** The network of an address of Vert.x's; all that are unknown count as one. No name is ever looked up. */
    public static ClientNetwork of(@Nullable SocketAddress remote) {
        String literal = remote == null || remote.hostAddress() == null ? "" : remote.hostAddress();
        try {
            return of(InetAddress.ofLiteral(literal));
        } catch (IllegalArgumentException e) {
            return new ClientNetwork(literal);
        }
    }

    static ClientNetwork of(InetAddress address) {
        return address instanceof Inet6Address
                ? new ClientNetwork(HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), IPV6_NETWORK_BYTES)))
                : new ClientNetwork(address.getHostAddress());
    }
}
