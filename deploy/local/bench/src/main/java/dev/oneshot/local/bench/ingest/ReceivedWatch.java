package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Latency;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.api.HttpConnection;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** Polls addresses, each every two milliseconds, until the API calls them received. */
final class ReceivedWatch implements AutoCloseable {

    private static final int CONNECTIONS = 16;
    private static final Duration PAUSE = Duration.ofMillis(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final BlockingQueue<HttpConnection> connections = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> watches = new ArrayList<>();
    private final Latency since250 = new Latency();
    private final Latency sinceConnect = new Latency();

    ReceivedWatch(int httpPort) throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(new HttpConnection(httpPort));
        }
    }

    /** Watches an address whose message was begun and taken at these times, in nanoseconds. */
    synchronized void watch(Created address, long connected, long taken) {
        watches.add(threads.submit(() -> {
            HttpConnection connection = connections.take();
            try {
                awaitReceived(connection, address);
            } finally {
                connections.add(connection);
            }
            long now = System.nanoTime();
            since250.record(now - taken);
            sinceConnect.record(now - connected);
            return null;
        }));
    }

    /** Waits for all that is still watched. */
    synchronized void await() throws ExecutionException, InterruptedException {
        for (Future<?> watch : watches) {
            watch.get();
        }
    }

    Latency since250() {
        return since250;
    }

    Latency sinceConnect() {
        return sinceConnect;
    }

    @Override
    public void close() throws IOException {
        threads.close();
        for (HttpConnection connection : connections) {
            connection.close();
        }
    }

    private static void awaitReceived(HttpConnection connection, Created address) throws IOException {
        byte[] poll = HttpConnection.request("GET", "/v1/addresses/" + address.id(), address.key(), "");
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            int status = connection.exchange(poll);
            if (status != 200) {
                throw new ProtocolException("poll answered " + status + " " + connection.body());
            }
            if (connection.body().contains("\"status\":\"received\"")) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new ProtocolException("a mail that got its 250 was not received within " + TIMEOUT);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
