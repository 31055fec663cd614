package dev.oneshot.local.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Spreads TCP connections over replicas, as a Kubernetes Service does: new ones go to ready replicas in turn, and a
 * replica that is no longer ready keeps those that it has. It can also be cut, like a network. Safe for use by many threads.
 */
final class Balancer implements AutoCloseable {

    private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
    private static final int FAILURES_MAX = 2;
    private static final int CONNECT_MILLIS = 1000;
    private static final int BACKLOG = 1024;
    private static final int BUFFER_BYTES = 16 * 1024;

    private final ServerSocket server;
    private final List<Replica> replicas;
    private final Thread accepting;
    private final AtomicInteger next = new AtomicInteger();
    private volatile CountDownLatch whole = new CountDownLatch(0);

    /** A replica with its readiness. */
    static final class Replica {

        private final int port;
        private final BooleanSupplier ready;
        private volatile int failures;
        private volatile boolean isDrained;

        Replica(int port, BooleanSupplier ready) {
            this.port = port;
            this.ready = ready;
        }

        /** Excludes the replica from new connections, as a pod that is to end, or includes it again. */
        void drain(boolean drained) {
            isDrained = drained;
        }

        private boolean isReady() {
            return !isDrained && failures < FAILURES_MAX;
        }

        private void check() {
            failures = ready.getAsBoolean() ? 0 : failures + 1;
        }
    }

    Balancer(int port, List<Replica> replicas) {
        this.replicas = List.copyOf(replicas);
        try {
            this.server = new ServerSocket(port, BACKLOG, InetAddress.ofLiteral("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on 127.0.0.1:" + port, e);
        }
        this.accepting = Thread.startVirtualThread(this::accept);
        replicas.forEach(replica -> Thread.startVirtualThread(() -> watch(replica)));
    }

    /** Carries no more bytes in any direction; connections stay open, and new ones get no reply. */
    void cut() {
        whole = new CountDownLatch(1);
    }

    /** Ends the cut; the bytes sent during it arrive. */
    void mend() {
        whole.countDown();
    }

    /** Accepts no further connections; existing ones go on. The port is free when this returns. */
    @Override
    public void close() {
        mend();
        try {
            server.close();
            // A virtual thread that accepts keeps the socket open until it ends.
            accepting.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch(Replica replica) {
        try {
            while (!server.isClosed()) {
                replica.check();
                TimeUnit.NANOSECONDS.sleep(CHECK_EVERY.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket client = server.accept();
                Thread.startVirtualThread(() -> serve(client));
            }
        } catch (IOException e) {
            if (!server.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket replica = connect()) {
            client.setTcpNoDelay(true);
            replica.setTcpNoDelay(true);
            Thread responses = Thread.startVirtualThread(() -> copy(replica, client));
            copy(client, replica);
            responses.join();
        } catch (IOException unreachable) {
            // The client sees a closed connection, as it would without a balancer.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Connects to a ready replica, or to another one if it refuses. */
    private Socket connect() throws IOException, InterruptedException {
        whole.await();
        int first = next.getAndIncrement();
        IOException failure = new IOException("no replica is ready");
        for (int i = 0; i < replicas.size(); i++) {
            Replica replica = replicas.get(Math.floorMod(first + i, replicas.size()));
            if (replica.isReady()) {
                Socket socket = new Socket();
                try {
                    socket.connect(
                            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), replica.port), CONNECT_MILLIS);
                    return socket;
                } catch (IOException refused) {
                    socket.close();
                    failure = refused;
                }
            }
        }
        throw failure;
    }

    private void copy(Socket from, Socket to) {
        try {
            byte[] buffer = new byte[BUFFER_BYTES];
            InputStream input = from.getInputStream();
            for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
                whole.await();
                to.getOutputStream().write(buffer, 0, count);
            }
            whole.await();
            to.shutdownOutput();
        } catch (IOException ended) {
            // One end is gone, so the other end is closed too.
            close(from);
            close(to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
