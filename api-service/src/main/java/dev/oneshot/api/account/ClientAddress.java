package dev.oneshot.api.account;

import io.vertx.core.net.SocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Where a request came from. Of an IPv6 address only the first 64 bits, as that is what one client is given. */
record ClientAddress(String text) {

    private static final ClientAddress UNKNOWN = new ClientAddress("");
    private static final int IPV6_NETWORK_OCTETS = 8;

    static ClientAddress of(@Nullable SocketAddress remote) {
        if (remote == null || remote.hostAddress() == null) {
            return UNKNOWN;
        }
        return parse(remote.hostAddress());
    }

    /** Reads a literal address; no name is ever looked up. */
    static ClientAddress parse(String literal) {
        if (literal.indexOf(':') < 0) {
            return new ClientAddress(literal);
        }
        try {
            InetAddress address = InetAddress.ofLiteral(literal);
            return address instanceof Inet6Address
                    ? new ClientAddress(
                            HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), IPV6_NETWORK_OCTETS)))
                    : new ClientAddress(address.getHostAddress());
        } catch (IllegalArgumentException e) {
            return new ClientAddress(literal);
        }
    }
}
