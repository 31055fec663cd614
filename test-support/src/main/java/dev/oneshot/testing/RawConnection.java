package dev.oneshot.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** HTTP that client libraries do not send, to a port of loopback. */
public final class RawConnection {

    private static final int READ_TIMEOUT_MILLIS = 60_000;

    private RawConnection() {}

    /** Sends these bytes on a connection that stays open. */
    public static Socket begin(int port, String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** Sends these bytes and reads the response until the service closes. */
    public static String exchange(int port, String request) throws IOException {
        try (Socket socket = begin(port, request)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
