package dev.oneshot.local.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A client of a stack: creates an address, receives a mail, sends a mail, and reads all that can be read. */
final class Journey implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final Duration RATE_LIMITED = Duration.ofSeconds(1);
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int CLIENTS = 16;
    /** One of so many visits receives a mail that the service itself sends. */
    private static final int VISITS_FOR_A_SEND = 10;
    /** Lines of base64 in the attachment of a visit's mail, which is then about 10 KB. */
    private static final int ATTACHMENT_LINES = 130;

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String MAIL = """
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
            .
            """.replace("\n", "\r\n");

    private static final String LARGER_MAIL =
            MAIL.replace("JVBERg==\r\n", ("JVBERi0x".repeat(9) + "\r\n").repeat(ATTACHMENT_LINES));

    private final LocalStack stack;
    private final HttpClient client;
    private final String key;

    private Journey(LocalStack stack, HttpClient client, String key) {
        this.stack = stack;
        this.client = client;
        this.key = key;
    }

    /** Uses the demo account. */
    static Journey begin(LocalStack stack) throws IOException, InterruptedException {
        return new Journey(stack, HttpClient.newHttpClient(), DemoAccount.ensure(stack));
    }

    /**
     * Runs the journey once.
     *
     * @throws StackException if a response is not the expected one
     */
    void make() throws IOException, InterruptedException {
        String receiver = create("{\"ttl_seconds\":600,\"label\":\"journey\"}");
        mail(receiver, MAIL);
        awaitReceived(receiver);
        for (String path : new String[] {"", "/email", "/email/raw", "/email/attachments/0"}) {
            expect(200, "GET", "/v1/addresses/" + receiver + path, "");
        }
        String other = create("{}");
        send(other);
        awaitReceived(other);
        expect(200, "GET", "/v1/addresses?limit=5", "");
        expect(200, "GET", "/v1/account", "");
        expect(400, "POST", "/v1/addresses", "{\"ttl_seconds\":1}");
        expect(204, "DELETE", "/v1/addresses/" + other, "");
        expect(204, "DELETE", "/v1/addresses?label=journey", "");
        expect(404, "GET", "/v1/addresses/" + other, "");
        for (Service service : Service.values()) {
            observe(service);
        }
    }

    /**
     * Many clients at once: each creates an address, receives a mail and reads it.
     *
     * @param time when it is over, no visit is begun
     * @return the number of visits
     * @throws StackException if a response is not the expected one
     */
    int visits(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        AtomicInteger visits = new AtomicInteger();
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> {
                    while (System.nanoTime() < end) {
                        visit(visits.incrementAndGet() % VISITS_FOR_A_SEND == 0);
                    }
                    return null;
                }));
            }
        }
        for (Future<?> done : clients) {
            try {
                done.get();
            } catch (ExecutionException e) {
                throw new StackException("a visit failed", e);
            }
        }
        return visits.get();
    }

    private void visit(boolean isSent) throws IOException, InterruptedException {
        String id = create("{\"ttl_seconds\":600}");
        if (isSent) {
            send(id);
        } else {
            mail(id, LARGER_MAIL);
        }
        awaitReceived(id);
        expect(200, "GET", "/v1/addresses/" + id + "/email", "");
    }

    @Override
    public void close() {
        client.close();
    }

    private void send(String receiver) throws IOException, InterruptedException {
        create("{\"mode\":\"send\",\"send\":{\"to\":\"" + receiver
                + "@in.oneshot.localhost\",\"subject\":\"s\",\"text_body\":\"t\"}}");
    }

    private String create(String body) throws IOException, InterruptedException {
        return JSON.readTree(expect(201, "POST", "/v1/addresses", body))
                .path("id")
                .asText();
    }

    private void awaitReceived(String id) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        JsonNode address = JSON.readTree(expect(200, "GET", "/v1/addresses/" + id, ""));
        while (!address.path("status").asText().equals("received")) {
            if (System.nanoTime() > deadline) {
                throw new StackException("no mail received for " + id + " within " + TIMEOUT.toSeconds() + " s");
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            address = JSON.readTree(expect(200, "GET", "/v1/addresses/" + id, ""));
        }
    }

    private String expect(int status, String method, String target, String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(Port.HTTP, target))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (response.statusCode() == TOO_MANY_REQUESTS && System.nanoTime() < deadline) {
            LockSupport.parkNanos(RATE_LIMITED.toNanos());
            response = client.send(request, BodyHandlers.ofString());
        }
        if (response.statusCode() != status) {
            throw new StackException(
                    method + " " + target + " gave the response " + response.statusCode() + " " + response.body());
        }
        return response.body();
    }

    private void observe(Service service) throws IOException, InterruptedException {
        for (String path : new String[] {"/q/health/started", "/q/health/live", "/q/health/ready", "/q/metrics"}) {
            HttpRequest request = HttpRequest.newBuilder(uri(service.management(), path))
                    .timeout(TIMEOUT)
                    .build();
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            if (status != 200) {
                throw new StackException(path + " of " + service.label() + " gave the status " + status);
            }
        }
    }

    private URI uri(Port port, String target) {
        return URI.create("http://127.0.0.1:" + stack.settings().port(port) + target);
    }

    private void mail(String id, String mail) throws IOException {
        try (Socket socket = new Socket(
                        InetAddress.ofLiteral("127.0.0.1"), stack.settings().port(Port.SMTP));
                BufferedReader replies =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                OutputStream commands = socket.getOutputStream()) {
            socket.setSoTimeout(Math.toIntExact(TIMEOUT.toMillis()));
            expect("220", replies);
            for (String[] step : new String[][] {
                {"EHLO journey.example\r\n", "250"},
                {"MAIL FROM:<ada@example.org>\r\n", "250"},
                {"RCPT TO:<" + id + "@in.oneshot.localhost>\r\n", "250"},
                {"DATA\r\n", "354"},
                {mail, "250"},
                {"QUIT\r\n", "221"}
            }) {
                commands.write(step[0].getBytes(StandardCharsets.US_ASCII));
                commands.flush();
                expect(step[1], replies);
            }
        }
    }

    /** Reads a reply of one or more lines. */
    private static void expect(String code, BufferedReader replies) throws IOException {
        String line = replies.readLine();
        while (line != null && line.startsWith(code + "-")) {
            line = replies.readLine();
        }
        if (line == null || !line.startsWith(code)) {
            throw new StackException("SMTP reply " + line + " instead of " + code);
        }
    }
}
