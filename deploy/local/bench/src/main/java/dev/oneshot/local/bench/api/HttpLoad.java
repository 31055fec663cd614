package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Load;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A worker that sends the next of some requests over a connection of its own. */
public final class HttpLoad implements Load.Worker {

    private static final int TOO_MANY = 429;

    private final HttpConnection connection;
    private final int expected;
    private final List<byte[]> requests;
    private final AtomicInteger next;

    public HttpLoad(int port, int expected, List<byte[]> requests, AtomicInteger next) throws IOException {
        this.connection = new HttpConnection(port);
        this.expected = expected;
        this.requests = requests;
        this.next = next;
    }

    @Override
    public boolean once() throws IOException {
        int status = connection.exchange(requests.get(Math.floorMod(next.getAndIncrement(), requests.size())));
        if (status != expected && status != TOO_MANY) {
            throw new ProtocolException("expected " + expected + ", not " + status + " " + connection.body());
        }
        return status == expected;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
