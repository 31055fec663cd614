package dev.oneshot.local.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Checks parts of the stack. */
public final class Health {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    private Health() {}

    /** Whether a service reports on its management port that it is ready. */
    public static boolean isReady(int managementPort) {
        URI uri = URI.create("http://127.0.0.1:" + managementPort + "/q/health/ready");
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
        return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .thenApply(response -> response.statusCode() == 200)
                .exceptionally(_ -> false)
                .join();
    }

    /** Whether a server accepts connections on this port of 127.0.0.1. */
    public static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), (int) TIMEOUT.toMillis());
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
