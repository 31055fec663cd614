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
import java.util.function.BooleanSupplier;

/** Checks parts of the stack. */
public final class Health {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);
    private static final int OK = 200;
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    private Health() {}

    /** Whether a service reports on its management port that it is ready. */
    public static boolean isReady(int managementPort) {
        URI uri = URI.create("http://127.0.0.1:" + managementPort + "/q/health/ready");
        try {
            return CLIENT.send(
                                    HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == OK;
        } catch (IOException unreachable) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Returns as soon as a server is ready. Polls every 5 ms, as benchmarks measure the time until then.
     *
     * @throws IllegalStateException after five minutes
     */
    public static void await(BooleanSupplier ready, String server) throws InterruptedException {
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (!ready.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(server + " was not ready within " + READY_TIMEOUT);
            }
            Thread.sleep(POLL_INTERVAL);
        }
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
