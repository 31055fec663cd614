package dev.oneshot.local.bench.training;

import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.api.HttpConnection;
import dev.oneshot.local.bench.ingest.Letter;
import dev.oneshot.local.bench.ingest.SmtpLoad;
import dev.oneshot.local.bench.ingest.SmtpMode;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients of a stack: create an address, receive a mail, send a mail, and read all that can be read. */
final class Journey {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final int CLIENTS = 16;
    /** One of so many visits receives a mail that the service itself sends. */
    private static final int VISITS_FOR_A_SEND = 10;

    private static final String SEND =
            "{\"mode\":\"send\",\"send\":{\"to\":\"%s@in.oneshot.localhost\",\"subject\":\"s\",\"text_body\":\"t\"}}";

    private static final byte[] MAIL = """
            From: =?utf-8?q?Ad=C3=A1?= <ada@example.org>
            Subject: =?utf-8?b?w4kgdGVzdA==?=
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            <p>caf=C3=A9</p>
            --b
            Content-Type: application/pdf
            Content-Disposition: attachment; filename*=utf-8''caf%C3%A9.pdf
            Content-Transfer-Encoding: base64

            JVBERg==
            --b--
            """.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);

    private static final byte[] LARGER_MAIL = Letter.content(10 * 1024);

    private final LocalStack stack;
    private final List<String> keys;
    private final AtomicInteger visits = new AtomicInteger();

    Journey(LocalStack stack) throws IOException {
        this.stack = stack;
        this.keys = new ApiClient(stack).keys();
    }

    /**
     * Runs the journey once.
     *
     * @throws ProtocolException if a response is not the expected one
     */
    void make() throws IOException {
        String key = keys.getFirst();
        try (HttpConnection api = new HttpConnection(stack.port(Port.HTTP))) {
            Created receiver = create(api, key, "{\"ttl_seconds\":600,\"label\":\"journey\"}");
            String reply = SmtpClient.deliver(stack.port(Port.SMTP), address(receiver), MAIL);
            if (!reply.startsWith("250")) {
                throw new ProtocolException("expected 250, not " + reply);
            }
            receiver.awaitReceived(api, POLL_INTERVAL);
            for (String path : List.of("/email", "/email/raw", "/email/attachments/0")) {
                api.exchange(HttpConnection.request("GET", path(receiver) + path, key, ""), 200);
            }
            Created other = create(api, key, "{}");
            create(api, key, SEND.formatted(other.id()));
            other.awaitReceived(api, POLL_INTERVAL);
            api.exchange(HttpConnection.request("GET", "/v1/addresses?limit=5", key, ""), 200);
            api.exchange(HttpConnection.request("GET", "/v1/account", key, ""), 200);
            api.exchange(HttpConnection.request("POST", "/v1/addresses", key, "{\"ttl_seconds\":1}"), 400);
            api.exchange(HttpConnection.request("DELETE", path(other), key, ""), 204);
            api.exchange(HttpConnection.request("DELETE", "/v1/addresses?label=journey", key, ""), 204);
            api.exchange(HttpConnection.request("GET", path(other), key, ""), 404);
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
     * @param time when it is over, no visit is begun
     * @return the number of visits
     */
    long visits(Duration time) throws Exception {
        Outcome outcome = new Load<>(CLIENTS, () -> new HttpConnection(stack.port(Port.HTTP)), this::visit).peak(time);
        return outcome.done();
    }

    private boolean visit(HttpConnection api) throws IOException {
        int number = visits.incrementAndGet();
        String key = keys.get(number % keys.size());
        Created receiver = create(api, key, "{\"ttl_seconds\":600}");
        if (number % VISITS_FOR_A_SEND == 0) {
            create(api, key, SEND.formatted(receiver.id()));
        } else {
            try (SmtpLoad smtp =
                    new SmtpLoad(stack.port(Port.SMTP), SmtpMode.ONE, LARGER_MAIL, () -> address(receiver))) {
                smtp.once();
            }
        }
        receiver.awaitReceived(api, POLL_INTERVAL);
        api.exchange(HttpConnection.request("GET", path(receiver) + "/email", key, ""), 200);
        return true;
    }

    private static Created create(HttpConnection api, String key, String json) throws IOException {
        api.exchange(HttpConnection.request("POST", "/v1/addresses", key, json), 201);
        return new Created(api.string("id"), key);
    }

    private static String path(Created address) {
        return "/v1/addresses/" + address.id();
    }

    private static String address(Created address) {
        return address.id() + "@in.oneshot.localhost";
    }
}
