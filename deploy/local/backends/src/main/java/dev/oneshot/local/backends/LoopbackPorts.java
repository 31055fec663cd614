package dev.oneshot.local.backends;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of 127.0.0.1. */
public final class LoopbackPorts {

    /** Above well-known services, below the range of outgoing connections on Linux and macOS. */
    private static final int FIRST = 20_000;

    private static final int LAST = 32_000;
    private static final int TRIES = 200;

    /** The ports that this JVM has given out, as their servers may not listen yet. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private LoopbackPorts() {}

    /**
     * A free port. It is not reserved, but outgoing connections never take it, so a server can stop and start again
     * on it.
     *
     * @throws IllegalStateException if no port is free
     */
    public static int free() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port) && GIVEN.add(port)) {
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
