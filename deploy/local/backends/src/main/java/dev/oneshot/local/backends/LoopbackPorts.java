package dev.oneshot.local.backends;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of 127.0.0.1. */
public final class LoopbackPorts {

    /** Above the well-known services, below where Linux and macOS pick the ports of outgoing connections. */
    private static final int FIRST = 20_000;

    private static final int LAST = 32_000;
    private static final int TRIES = 200;

    private LoopbackPorts() {}

    /**
     * A port that nobody listens on. It is not reserved, but it lies outside of the range that outgoing connections
     * get, so that a server can leave it and come back: no client that waits for the server takes its place.
     *
     * @throws IllegalStateException if no such port was found
     */
    public static int free() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("found no free port between " + FIRST + " and " + LAST);
    }

    /** Whether a server could listen on this port of 127.0.0.1 now. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
            return true;
        } catch (IOException occupied) {
            return false;
        }
    }

    static void requireFree(int port, String server) {
        if (!isFree(port)) {
            throw new IllegalStateException(server + " cannot listen on 127.0.0.1:" + port + ": the port is taken");
        }
    }
}
