package dev.oneshot.ingest.smtp;

import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * Who is at the other end, as the transport knows it.
 *
 * @param sessionId names this connection in logs and in {@code Received}; letters and digits
 * @param address where it comes from
 * @param tlsOffered whether STARTTLS can be given
 */
public record Client(String sessionId, InetAddress address, boolean tlsOffered) {

    /** The address as an address literal (RFC 5321 §4.1.3), without a zone. */
    String addressLiteral() {
        String text = address.getHostAddress();
        if (address instanceof Inet6Address) {
            int zone = text.indexOf('%');
            return "[IPv6:" + (zone < 0 ? text : text.substring(0, zone)) + ']';
        }
        return '[' + text + ']';
    }
}
