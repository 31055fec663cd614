package dev.oneshot.local.bench.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.system.BenchStack;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What the benchmarks ask of the API of a stack. */
public final class ApiClient {

    /** A plan whose rate and quota are in nobody's way. */
    public static final Map<String, String> NO_LIMITS = Map.of(
            "ONESHOT_PLANS_SCALE_ADDRESSES_PER_MONTH", "1000000000",
            "ONESHOT_PLANS_SCALE_REQUESTS_PER_SECOND", "100000",
            "ONESHOT_PLANS_SCALE_BURST", "100000");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CREATED = 201;
    private static final int WORKERS = 16;

    private final BenchStack stack;

    public ApiClient(BenchStack stack) {
        this.stack = stack;
    }

    /** Creates accounts and answers their keys. */
    public List<String> accounts(int count) throws IOException {
        List<String> keys = new ArrayList<>();
        try (HttpConnection operator = new HttpConnection(stack.managementPort())) {
            for (int i = 0; i < count; i++) {
                String json = "{\"name\":\"bench " + i + "\",\"plan\":\"scale\"}";
                byte[] request = HttpConnection.request("POST", "/operator/accounts", stack.operatorToken(), json);
                requireCreated(operator.exchange(request), operator);
                keys.add(JSON.readTree(operator.body()).path("api_key").asText());
            }
        }
        return keys;
    }

    /** Creates addresses, as evenly over the accounts as it goes, and answers them. */
    public List<Created> addresses(List<String> keys, int count) throws Exception {
        Queue<Created> created = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        Load.of(WORKERS, _ -> {
                    HttpConnection connection = new HttpConnection(stack.httpPort());
                    return new Load.Worker() {
                        @Override
                        public boolean once() throws IOException {
                            String key = keys.get(next.getAndIncrement() % keys.size());
                            created.add(new Created(create(connection, key), key));
                            return true;
                        }

                        @Override
                        public void close() throws IOException {
                            connection.close();
                        }
                    };
                })
                .peak(Duration.ZERO, Duration.ofMinutes(10), count);
        return List.copyOf(created);
    }

    /** An address and the key it was created with. */
    public record Created(String id, String key) {}

    private static String create(HttpConnection connection, String key) throws IOException {
        requireCreated(connection.exchange(HttpConnection.request("POST", "/v1/addresses", key, "{}")), connection);
        return JSON.readTree(connection.body()).path("id").asText();
    }

    private static void requireCreated(int status, HttpConnection connection) throws ProtocolException {
        if (status != CREATED) {
            throw new ProtocolException("not created: " + status + " " + connection.body());
        }
    }
}
