package dev.oneshot.images.training;

import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.api.ApiClient.Account;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.api.HttpConnection;
import dev.oneshot.local.bench.ingest.SampleMessage;
import dev.oneshot.local.bench.ingest.SmtpLoad;
import dev.oneshot.local.bench.ingest.SmtpMode;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Clients of a stack: create an address, receive a mail, send a mail, and read all that can be read. */
final class Journey {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final int CLIENTS = 16;
    /** One of this many visits receives a mail that the service itself sends. */
    private static final int VISITS_FOR_A_SEND = 10;

    private static final String SEND =
            "{\"mode\":\"send\",\"send\":{\"to\":\"%s@in.oneshot.localhost\",\"subject\":\"s\",\"text_body\":\"t\"}}";

    private static final byte[] MAIL = SampleMessage.content(10 * 1024);

    private final LocalStack stack;
    private final Supplier<Account> accounts;
    private final AtomicInteger visits = new AtomicInteger();

    Journey(LocalStack stack) throws IOException {
        this.stack = stack;
        this.accounts = Load.roundRobin(new ApiClient(stack).accounts());
    }

    /**
     * Runs the journey once.
     *
     * @throws IOException if a response is not the expected one
     */
    void make() throws IOException {
        Account account = accounts.get();
        try (HttpConnection api = new HttpConnection(stack.port(Port.HTTP))) {
            Created receiver = account.create(api, "{\"ttl_seconds\":600,\"label\":\"journey\"}");
            deliver(receiver);
            receiver.awaitReceived(api, POLL_INTERVAL);
            for (String path : List.of("/email", "/email/raw", "/email/attachments/0")) {
                api.exchange(receiver.request("GET", path), 200);
            }
            Created other = account.create(api, "{}");
            account.create(api, SEND.formatted(other.id()));
            other.awaitReceived(api, POLL_INTERVAL);
            api.exchange(account.request("GET", "/v1/addresses?limit=5", ""), 200);
            api.exchange(account.request("GET", "/v1/account", ""), 200);
            api.exchange(account.request("POST", "/v1/addresses", "{\"ttl_seconds\":1}"), 400);
            api.exchange(other.request("DELETE", ""), 204);
            api.exchange(account.request("DELETE", "/v1/addresses?label=journey", ""), 204);
            api.exchange(other.request("GET", ""), 404);
        }
        for (Service service : Service.values()) {
            try (HttpConnection management = new HttpConnection(stack.port(service.management()))) {
                for (String path : List.of("/q/health/started", "/q/health/live", "/q/health/ready", "/q/metrics")) {
                    management.exchange(HttpConnection.request("GET", path, "none", ""), 200);
                }
            }
        }
    }

    /**
     * Many clients at once: each creates an address, receives a mail and reads it.
     *
     * @param time after which no visit starts
     * @return the number of visits
     */
    long visits(Duration time) throws Exception {
        return new Load<>(CLIENTS, () -> new HttpConnection(stack.port(Port.HTTP)), this::visit)
                .peak(time)
                .done();
    }

    private boolean visit(HttpConnection api) throws IOException {
        Account account = accounts.get();
        Created receiver = account.create(api, "{\"ttl_seconds\":600}");
        if (visits.incrementAndGet() % VISITS_FOR_A_SEND == 0) {
            account.create(api, SEND.formatted(receiver.id()));
        } else {
            deliver(receiver);
        }
        receiver.awaitReceived(api, POLL_INTERVAL);
        api.exchange(receiver.request("GET", "/email"), 200);
        return true;
    }

    private void deliver(Created receiver) throws IOException {
        try (SmtpLoad smtp = new SmtpLoad(stack.port(Port.SMTP), SmtpMode.ONE, MAIL, receiver::address)) {
            smtp.once();
        }
    }
}
