package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Load;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.StackAccount;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Accounts and addresses of a stack, created through its API. */
public final class ApiClient {

    /** Settings of a plan whose rate and quota are never reached. */
    public static final Map<String, String> NO_LIMITS = Map.of(
            "ONESHOT_PLANS_SCALE_ADDRESSES_PER_MONTH", "1000000000",
            "ONESHOT_PLANS_SCALE_REQUESTS_PER_SECOND", "100000",
            "ONESHOT_PLANS_SCALE_BURST", "100000");

    private static final int ACCOUNTS = 50;
    private static final int CONNECTIONS = 16;
    private static final Duration RECEIVED_TIMEOUT = Duration.ofSeconds(60);

    private final int port;
    private final List<Account> accounts = new ArrayList<>();

    /** Creates the accounts that share the load. */
    public ApiClient(LocalStack stack) {
        this.port = stack.port(Port.HTTP);
        for (int i = 0; i < ACCOUNTS; i++) {
            StackAccount created = stack.createAccount("bench " + i, "scale");
            accounts.add(new Account(created.id(), created.key()));
        }
    }

    /** An account. */
    public record Account(String id, String key) {

        /** A request with its key; {@code json} is empty for no body. */
        public byte[] request(String method, String path, String json) {
            return HttpConnection.request(method, path, key, json);
        }

        /** Creates an address. */
        public Created create(HttpConnection connection, String json) throws IOException {
            connection.exchange(request("POST", "/v1/addresses", json), 201);
            return new Created(connection.string("id"), this);
        }
    }

    /** An address and its account. */
    public record Created(String id, Account account) {

        /** The address for mail. */
        public String address() {
            return id + "@in.oneshot.localhost";
        }

        /** A request for a path below the address. */
        public byte[] request(String method, String path) {
            return account.request(method, "/v1/addresses/" + id + path, "");
        }

        /** Polls until it has its mail. */
        public void awaitReceived(HttpConnection connection, Duration interval) throws IOException {
            byte[] poll = request("GET", "");
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

    public List<Account> accounts() {
        return List.copyOf(accounts);
    }

    /** The same request from each account. */
    public List<byte[]> fromEach(String method, String path, String json) {
        return accounts.stream()
                .map(account -> account.request(method, path, json))
                .toList();
    }

    /** Creates addresses, in equal numbers for all accounts. */
    public List<Created> addresses(int count) throws Exception {
        Queue<Created> created = new ConcurrentLinkedQueue<>();
        Supplier<Account> account = Load.roundRobin(accounts);
        new Load<>(
                        CONNECTIONS,
                        () -> new HttpConnection(port),
                        connection -> created.add(account.get().create(connection, "{}")))
                .peak(Duration.ofMinutes(10), count);
        return List.copyOf(created);
    }
}
