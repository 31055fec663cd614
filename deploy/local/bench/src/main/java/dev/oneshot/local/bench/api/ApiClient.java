package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

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

    private final int port;
    private final List<String> keys = new ArrayList<>();
    private final List<String> accountIds = new ArrayList<>();

    /** Creates the accounts that share the load. */
    public ApiClient(BenchStack stack) throws IOException {
        this.port = stack.httpPort();
        try (HttpConnection operator = new HttpConnection(stack.managementPort(Service.API))) {
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
    public record Created(String id, String key) {}

    public List<String> accountIds() {
        return List.copyOf(accountIds);
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
                .peak(Duration.ZERO, Duration.ofMinutes(10), count);
        return List.copyOf(created);
    }
}
