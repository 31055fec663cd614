package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Load;
import java.net.ProtocolException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests in turn, over persistent connections. */
public final class HttpLoad {

    private static final int TOO_MANY_REQUESTS = 429;

    private HttpLoad() {}

    /** Called after each expected response, with the index of its request. */
    @FunctionalInterface
    public interface Done {
        void response(int request, HttpConnection connection);
    }

    /** Sends the requests in turn; 429 counts as refused, and any other unexpected status ends the measurement. */
    public static Load<HttpConnection> of(int connections, int port, int expected, List<byte[]> requests) {
        return of(connections, port, expected, requests, (_, _) -> {});
    }

    public static Load<HttpConnection> of(int connections, int port, int expected, List<byte[]> requests, Done done) {
        AtomicInteger next = new AtomicInteger();
        return new Load<>(connections, () -> new HttpConnection(port), connection -> {
            int number = Math.floorMod(next.getAndIncrement(), requests.size());
            int status = connection.exchange(requests.get(number));
            if (status == expected) {
                done.response(number, connection);
            } else if (status != TOO_MANY_REQUESTS) {
                throw new ProtocolException("expected " + expected + ", not " + status + " " + connection.body());
            }
            return status == expected;
        });
    }
}
