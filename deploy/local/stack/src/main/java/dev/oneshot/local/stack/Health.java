package dev.oneshot.local.stack;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLConnection;
import java.time.Duration;

/** Checks parts of the stack. */
public final class Health {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(2).toMillis();

    private Health() {}

    /** Whether a service reports on its management port that it is ready. */
    public static boolean isReady(int managementPort) {
        try {
            URLConnection ready = URI.create("http://127.0.0.1:" + managementPort + "/q/health/ready")
                    .toURL()
                    .openConnection();
            ready.setConnectTimeout(TIMEOUT_MILLIS);
            ready.setReadTimeout(TIMEOUT_MILLIS);
            try (InputStream _ = ready.getInputStream()) {
                return true;
            }
        } catch (IOException unreachableOrNotReady) {
            return false;
        }
    }

    /** Whether a server accepts connections on this port of 127.0.0.1. */
    public static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), TIMEOUT_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
