package dev.oneshot.ingest.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the header with which a load balancer starts a connection to name the client: HAProxy's PROXY protocol,
 * versions 1 and 2.
 */
final class ProxyHeader {

    /** The longest header of version 1 (its §2.1), with its CRLF. */
    static final int TEXT_BYTES_MAX = 107;

    /** The most octets read after the fixed part of version 2: addresses, and extensions that are skipped. */
    static final int BINARY_PAYLOAD_BYTES_MAX = 2048;

    private static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};
    private static final byte[] TEXT_START = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern TEXT =
            Pattern.compile("PROXY (TCP4|TCP6) ([0-9A-Fa-f.:]+) ([0-9A-Fa-f.:]+) ([0-9]{1,5}) ([0-9]{1,5})");
    private static final Pattern TEXT_UNKNOWN = Pattern.compile("PROXY UNKNOWN( [ -~]*)?");
    private static final int BINARY_FIXED_BYTES = 16;
    private static final int VERSION_2_LOCAL = 0x20;
    private static final int VERSION_2_PROXY = 0x21;
    private static final int TCP_OVER_IPV4 = 0x11;
    private static final int TCP_OVER_IPV6 = 0x21;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int PORTS_BYTES = 4;
    private static final int PORT_MAX = 65_535;

    private ProxyHeader() {}

    /** The result for the octets so far. */
    sealed interface Reading {

        /** The start of a header. */
        record Incomplete() implements Reading {}

        /** A complete header of this length, and the client in it. */
        record Client(InetAddress address, int headerBytes) implements Reading {}

        /** A header without a client: the balancer's own health check. */
        record Unnamed(int headerBytes) implements Reading {}

        /** Not a header, and not the start of one. */
        record Malformed() implements Reading {}
    }

    /** Reads from the start of {@code octets} without changing its position. */
    static Reading read(ByteBuffer octets) {
        ByteBuffer input = octets.slice();
        if (startsWith(input, SIGNATURE)) {
            return input.remaining() < SIGNATURE.length ? new Reading.Incomplete() : binary(input);
        }
        if (startsWith(input, TEXT_START)) {
            return text(input);
        }
        return new Reading.Malformed();
    }

    /** Whether the input begins with {@code start}, or is a prefix of it. */
    private static boolean startsWith(ByteBuffer input, byte[] start) {
        int length = Math.min(input.remaining(), start.length);
        return input.slice(0, length).equals(ByteBuffer.wrap(start, 0, length));
    }

    private static Reading text(ByteBuffer input) {
        int length = Math.min(input.remaining(), TEXT_BYTES_MAX);
        byte[] line = new byte[length];
        input.get(0, line);
        int end = 0;
        while (end < length && line[end] != '\n') {
            end++;
        }
        if (end == length) {
            return length == TEXT_BYTES_MAX ? new Reading.Malformed() : new Reading.Incomplete();
        }
        if (end == 0 || line[end - 1] != '\r') {
            return new Reading.Malformed();
        }
        String text = new String(line, 0, end - 1, StandardCharsets.US_ASCII);
        if (TEXT_UNKNOWN.matcher(text).matches()) {
            return new Reading.Unnamed(end + 1);
        }
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches() ? named(matcher, end + 1) : new Reading.Malformed();
    }

    private static Reading named(Matcher matcher, int headerBytes) {
        try {
            InetAddress address = InetAddress.ofLiteral(matcher.group(2));
            // By its notation: a balancer that listens for IPv4 and IPv6 writes an IPv4 client as ::ffff:192.0.2.1.
            boolean ipv4 = matcher.group(2).indexOf(':') < 0;
            boolean valid = ipv4 == matcher.group(1).equals("TCP4")
                    && Integer.parseInt(matcher.group(4)) <= PORT_MAX
                    && Integer.parseInt(matcher.group(5)) <= PORT_MAX;
            return valid ? new Reading.Client(address, headerBytes) : new Reading.Malformed();
        } catch (IllegalArgumentException e) {
            return new Reading.Malformed();
        }
    }

    private static Reading binary(ByteBuffer input) {
        if (input.remaining() < BINARY_FIXED_BYTES) {
            return new Reading.Incomplete();
        }
        int command = input.get(SIGNATURE.length) & 0xFF;
        int family = input.get(SIGNATURE.length + 1) & 0xFF;
        int payload = input.getShort(SIGNATURE.length + 2) & 0xFFFF;
        if ((command != VERSION_2_LOCAL && command != VERSION_2_PROXY) || payload > BINARY_PAYLOAD_BYTES_MAX) {
            return new Reading.Malformed();
        }
        int headerBytes = BINARY_FIXED_BYTES + payload;
        if (input.remaining() < headerBytes) {
            return new Reading.Incomplete();
        }
        if (command == VERSION_2_LOCAL) {
            return new Reading.Unnamed(headerBytes);
        }
        return switch (family) {
            case TCP_OVER_IPV4 -> address(input, IPV4_BYTES, payload);
            case TCP_OVER_IPV6 -> address(input, IPV6_BYTES, payload);
            default -> new Reading.Unnamed(headerBytes);
        };
    }

    private static Reading address(ByteBuffer input, int addressBytes, int payload) {
        if (payload < 2 * addressBytes + PORTS_BYTES) {
            return new Reading.Malformed();
        }
        byte[] address = new byte[addressBytes];
        input.get(BINARY_FIXED_BYTES, address);
        try {
            return new Reading.Client(InetAddress.getByAddress(address), BINARY_FIXED_BYTES + payload);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + Arrays.toString(address), e);
        }
    }
}
