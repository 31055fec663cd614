package dev.oneshot.ingest.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;

/**
 * A range of addresses in CIDR notation (RFC 4632).
 *
 * @param base the first address
 * @param prefixBits how many bits of it all addresses share
 */
record Network(InetAddress base, int prefixBits) {

    Network {
        Objects.requireNonNull(base, "base");
        if (prefixBits < 0 || prefixBits > base.getAddress().length * Byte.SIZE) {
            throw new IllegalArgumentException("no prefix of " + prefixBits + " bits in " + base.getHostAddress());
        }
    }

    /**
     * Parses {@code 10.0.0.0/8}, {@code 2001:db8::/32} or a single address.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    static Network of(String text) {
        int slash = text.indexOf('/');
        InetAddress base = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
        int bits = slash < 0 ? base.getAddress().length * Byte.SIZE : Integer.parseInt(text.substring(slash + 1));
        return new Network(base, bits);
    }

    /** The network of an address, of this size. */
    static Network around(InetAddress address, int prefixBits) {
        byte[] octets = address.getAddress();
        for (int bit = prefixBits; bit < octets.length * Byte.SIZE; bit++) {
            octets[bit / Byte.SIZE] &= (byte) ~(0x80 >>> (bit % Byte.SIZE));
        }
        try {
            return new Network(InetAddress.getByAddress(octets), prefixBits);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of another length", e);
        }
    }

    boolean contains(InetAddress address) {
        return base.getClass() == address.getClass()
                && around(address, prefixBits).base.equals(around(base, prefixBits).base);
    }
}
