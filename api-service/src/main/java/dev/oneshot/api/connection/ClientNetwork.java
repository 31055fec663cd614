package dev.oneshot.api.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/** One client: an IPv4 address, or the first 64 bits of an IPv6 address, as a provider assigns whole /64s. */
public record ClientNetwork(String text) {

    private static final int IPV6_NETWORK_BYTES = 8;

    static ClientNetwork of(InetAddress address) {
        return address instanceof Inet6Address
                ? new ClientNetwork(HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), IPV6_NETWORK_BYTES)))
                : new ClientNetwork(address.getHostAddress());
    }
}
