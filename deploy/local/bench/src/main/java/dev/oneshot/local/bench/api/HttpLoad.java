package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Load;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A worker that sends the next of some requests over its own connection. */
public final class HttpLoad implements Load.Worker {

    private static final int TOO_MANY_REQUESTS = 429;

    private final HttpConnection connection;
    private final int expected;
    private final List<byte[]> requests;
    private final AtomicInteger next;
    private final Done done;

    /** Called after each expected response, with the index of its request. */
    @FunctionalInterface
    public interface Done {
        void response(int request, HttpConnection connection);
    }

    private HttpLoad(int port, int expected, List<byte[]> requests, AtomicInteger next, Done done) throws IOException {
        this.connection = new HttpConnection(port);
        this.expected = expected;
        this.requests = requests;
        this.next = next;
        this.done = done;
    }

    /** Sends the requests in turn; 429 counts as refused, and any other unexpected status ends the measurement. */
    public static Load of(int connections, int port, int expected, List<byte[]> requests) {
        return of(connections, port, expected, requests, (_, _) -> {});
    }

    public static Load of(int connections, int port, int expected, List<byte[]> requests, Done done) {
        AtomicInteger next = new AtomicInteger();
        return Load.of(connections, () -> new HttpLoad(port, expected, requests, next, done));
    }

    @Override
    public boolean once() throws IOException {
        int number = Math.floorMod(next.getAndIncrement(), requests.size());
        int status = connection.exchange(requests.get(number));
        if (status == expected) {
            done.response(number, connection);
        } else if (status != TOO_MANY_REQUESTS) {
            throw new ProtocolException("expected " + expected + ", not " + status + " " + connection.body());
        }
        return status == expected;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
