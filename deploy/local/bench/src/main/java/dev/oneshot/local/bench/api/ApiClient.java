package dev.oneshot.local.bench.api;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Accounts and addresses of a stack, created through its API. */
public final class ApiClient {

    /** Settings of a plan whose rate and quota are never reached. */
    public static final Map<String, String> NO_LIMITS = Map.of(
            "ONESHOT_PLANS_SCALE_ADDRESSES_PER_MONTH", "1000000000",
            "ONESHOT_PLANS_SCALE_REQUESTS_PER_SECOND", "100000",
            "ONESHOT_PLANS_SCALE_BURST", "100000");

    private static final int ACCOUNTS = 50;
    private static final int CREATED = 201;
    private static final int CONNECTIONS = 16;
    private static final Duration RECEIVED_TIMEOUT = Duration.ofSeconds(60);

    private final int port;
    private final List<String> keys = new ArrayList<>();
    private final List<String> accountIds = new ArrayList<>();

    /** Creates the accounts that share the load. */
    public ApiClient(LocalStack stack) throws IOException {
        this.port = stack.port(Port.HTTP);
        try (HttpConnection operator = new HttpConnection(stack.port(Port.API_MANAGEMENT))) {
            for (int i = 0; i < ACCOUNTS; i++) {
                String json = "{\"name\":\"bench " + i + "\",\"plan\":\"scale\"}";
                operator.exchange(
                        HttpConnection.request("POST", "/operator/accounts", stack.operatorToken(), json), CREATED);
                keys.add(operator.string("api_key"));
                accountIds.add(operator.string("id"));
            }
        }
    }

    /** An address and the key of its account. */
    public record Created(String id, String key) {

        /** The request that reads it. */
        public byte[] read() {
            return HttpConnection.request("GET", "/v1/addresses/" + id, key, "");
        }

        /** Polls until it has its mail. */
        public void awaitReceived(HttpConnection connection, Duration interval) throws IOException {
            byte[] poll = read();
            long deadline = System.nanoTime() + RECEIVED_TIMEOUT.toNanos();
            connection.exchange(poll, 200);
            while (!connection.string("status").equals("received")) {
                if (System.nanoTime() - deadline > 0) {
                    throw new ProtocolException("a mail with a 250 was not received within " + RECEIVED_TIMEOUT);
                }
                LockSupport.parkNanos(interval.toNanos());
                connection.exchange(poll, 200);
            }
        }
    }

    public List<String> accountIds() {
        return List.copyOf(accountIds);
    }

    /** The keys of the accounts. */
    public List<String> keys() {
        return List.copyOf(keys);
    }

    /** The same request from each account. */
    public List<byte[]> fromEach(String method, String path, String json) {
        return keys.stream()
                .map(key -> HttpConnection.request(method, path, key, json))
                .toList();
    }

    /** Creates addresses, in equal numbers for all accounts. */
    public List<Created> addresses(int count) throws Exception {
        Queue<Created> created = new ConcurrentLinkedQueue<>();
        HttpLoad.of(
                        CONNECTIONS,
                        port,
                        CREATED,
                        fromEach("POST", "/v1/addresses", "{}"),
                        (request, connection) -> created.add(new Created(connection.string("id"), keys.get(request))))
                .peak(Duration.ofMinutes(10), count);
        return List.copyOf(created);
    }
}
