package dev.oneshot.ingest.smtp;

import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * The client of a session.
 *
 * @param sessionId the connection's name in logs and in {@code Received}; letters and digits
 * @param address its IP address
 * @param tlsOffered whether STARTTLS is offered
 */
public record Client(String sessionId, InetAddress address, boolean tlsOffered) {

    /** The address as an address literal (RFC 5321 §4.1.3), without a zone. */
    public String addressLiteral() {
        String text = address.getHostAddress().split("%", 2)[0];
        return (address instanceof Inet6Address ? "[IPv6:" : "[") + text + ']';
    }
}
