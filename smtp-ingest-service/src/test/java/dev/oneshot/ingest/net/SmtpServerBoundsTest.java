package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.testing.SmtpClient;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What the transport adds to the protocol: counts of connections, time, the PROXY protocol, the end. */
class SmtpServerBoundsTest extends OwnServers {

    private static final byte[] MESSAGE = "Subject: x\r\n\r\nx\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Queue<MailTransaction> delivered = new ConcurrentLinkedQueue<>();

    @Test
    void oneConnectionMoreThanAllowedIsTurnedAwayUntilAnotherEnds() throws Exception {
        try (SmtpTestServer server = server(Map.of("connections-max", "2"));
                SmtpClient one = SmtpClient.connect(server.port());
                SmtpClient two = SmtpClient.connect(server.port())) {
            assertThat(one.reply()).startsWith("220 ");
            assertThat(two.reply()).startsWith("220 ");
            try (SmtpClient three = SmtpClient.connect(server.port())) {
                assertThat(three.reply()).startsWith("421 4.3.2 ");
                assertThat(three.reply()).isEmpty();
            }

            one.say("QUIT");
            assertThat(one.reply()).isEmpty();

            await().untilAsserted(() -> {
                try (SmtpClient three = SmtpClient.connect(server.port())) {
                    assertThat(three.reply()).startsWith("220 ");
                }
            });
        }
    }

    @Test
    void oneConnectionMoreThanAClientMayHaveIsTurnedAway() throws Exception {
        try (SmtpTestServer server = server(Map.of("connections-per-client-max", "1"));
                SmtpClient one = SmtpClient.connect(server.port());
                SmtpClient two = SmtpClient.connect(server.port())) {
            assertThat(one.reply()).startsWith("220 ");
            assertThat(two.reply()).startsWith("421 4.7.0 ");
            await().untilAsserted(() -> assertThat(server.counts().all()).isEqualTo(1));
        }
    }

    @Test
    void clientThatSaysNothingIsSentAway() throws Exception {
        try (SmtpTestServer server = server(Map.of("idle-timeout", "100ms"));
                SmtpClient client = SmtpClient.connect(server.port())) {
            assertThat(client.reply()).startsWith("220 ");
            assertThat(client.reply()).startsWith("421 4.4.2 Idle too long");
            assertThat(client.reply()).isEmpty();
        }
    }

    @Test
    void clientThatNeverEndsItsCommandIsSentAwayHoweverOftenItSendsAnOctet() throws Exception {
        try (SmtpTestServer server = server(Map.of("idle-timeout", "500ms"));
                SmtpClient client = SmtpClient.connect(server.port())) {
            assertThat(client.reply()).startsWith("220 ");

            await().pollInterval(Duration.ofMillis(100)).until(() -> {
                client.write(new byte[] {'N'});
                return client.hasMore();
            });

            assertThat(client.reply()).startsWith("421 4.4.2 Idle too long");
        }
    }

    @Test
    void contentThatComesTooSlowlyIsSentAway() throws Exception {
        try (SmtpTestServer server = server(Map.of("data-rate-grace", "100ms", "data-rate-min", "1000"));
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("MAIL FROM:<>");
            client.say("RCPT TO:<open@in.example>");
            client.say("DATA");
            client.write(MESSAGE);
            assertThat(client.reply()).startsWith("421 4.4.2 Data too slow");
            await().untilAsserted(() -> assertThat(server.memory().reserved()).isZero());
        }
    }

    @Test
    void contentThatTakesTooLongIsSentAway() throws Exception {
        try (SmtpTestServer server = server(Map.of("data-timeout", "100ms"));
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("MAIL FROM:<>");
            client.say("RCPT TO:<open@in.example>");
            client.say("DATA");
            assertThat(client.reply()).startsWith("421 4.4.2 Data too slow");
        }
    }

    @Test
    void lastWordsArriveThoughTheClientGoesOnSending() throws Exception {
        try (SmtpTestServer server = server(Map.of());
                SmtpClient client = SmtpClient.connect(server.port())) {
            assertThat(client.reply()).startsWith("220 ");
            client.write("x".repeat(500_000).getBytes(StandardCharsets.US_ASCII));

            assertThat(client.reply()).startsWith("421 4.7.0 Line far too long");
            assertThat(client.reply()).isEmpty();
        }
    }

    @Test
    void messageUnderWayIsFinishedWhenTheServiceStopsAndIdleClientsAreSentAway() throws Exception {
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        try (SmtpTestServer server = server(Map.of(), _ -> outcome);
                SmtpClient idle = SmtpClient.greeted(server.port());
                SmtpClient busy = SmtpClient.greeted(server.port())) {
            busy.say("MAIL FROM:<>");
            busy.say("RCPT TO:<open@in.example>");
            busy.say("DATA");
            busy.write(MESSAGE);

            server.listener().stopGently();

            assertThat(idle.reply()).startsWith("421 4.3.2 Service stopping");
            assertThat(idle.reply()).isEmpty();
            try (SmtpClient late = SmtpClient.connect(server.port())) {
                assertThat(late.reply()).startsWith("421 4.3.2 Service stopping");
            }
            busy.write(".\r\n".getBytes(StandardCharsets.US_ASCII));
            outcome.complete(DeliveryOutcome.STORED);
            assertThat(busy.reply()).startsWith("250 2.0.0 Stored");
            assertThat(busy.reply()).startsWith("421 4.3.2 Service stopping");
            await().untilAsserted(() -> assertThat(server.counts().all()).isZero());
        }
    }

    @Test
    void messageThatIsNotFinishedInTimeIsBrokenOff() throws Exception {
        try (SmtpTestServer server = server(Map.of());
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("MAIL FROM:<>");
            client.say("RCPT TO:<open@in.example>");
            client.say("DATA");

            server.listener().stopNow();

            assertThat(client.reply()).startsWith("421 4.3.2 Service stopping");
            await().untilAsserted(() -> assertThat(server.memory().reserved()).isZero());
        }
    }

    @Test
    void clientThatGoesDuringTheDeliveryLeavesNothingBehind() throws Exception {
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        CompletableFuture<MailTransaction> delivering = new CompletableFuture<>();
        try (SmtpTestServer server = server(Map.of(), transaction -> {
            delivering.complete(transaction);
            return outcome;
        })) {
            try (SmtpClient client = SmtpClient.greeted(server.port())) {
                client.say("MAIL FROM:<>");
                client.say("RCPT TO:<open@in.example>");
                client.say("DATA");
                client.write(".\r\n".getBytes(StandardCharsets.US_ASCII));
                delivering.join();
            }
            assertThat(server.memory().reserved()).isPositive();

            outcome.complete(DeliveryOutcome.STORED);

            await().untilAsserted(() -> assertThat(server.memory().reserved()).isZero());
            await().untilAsserted(() -> assertThat(server.counts().all()).isZero());
        }
    }

    @Test
    void clientThatWasGoneBeforeThe250HearsItWhenItComesAgainAndTheMailIsNotStoredTwice() throws Exception {
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        AtomicInteger deliveries = new AtomicInteger();
        try (SmtpTestServer server = server(Map.of(), _ -> {
            deliveries.incrementAndGet();
            return outcome;
        })) {
            try (SmtpClient client = SmtpClient.greeted(server.port())) {
                client.say("MAIL FROM:<ada@example.org>");
                client.say("RCPT TO:<once@in.example>");
                client.say("DATA");
                client.write(MESSAGE);
                client.write(".\r\n".getBytes(StandardCharsets.US_ASCII));
                await().untilAsserted(() -> assertThat(deliveries).hasValue(1));
            }
            outcome.complete(DeliveryOutcome.STORED);
            await().untilAsserted(() -> assertThat(server.memory().reserved()).isZero());
            await().untilAsserted(() -> assertThat(server.counts().all()).isZero());

            try (SmtpClient client = SmtpClient.greeted(server.port())) {
                assertThat(client.send("once@in.example", MESSAGE)).startsWith("250 2.0.0 Stored as ");
                assertThat(client.send("once@in.example", "Subject: other\r\n".getBytes(StandardCharsets.US_ASCII)))
                        .startsWith("550 5.2.1 ");
            }
            assertThat(deliveries).hasValue(1);
        }
    }

    @Test
    void commandsSentDuringTheDeliveryAreAnsweredAfterIt() throws Exception {
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        try (SmtpTestServer server = server(Map.of(), _ -> outcome);
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("MAIL FROM:<>");
            client.say("RCPT TO:<open@in.example>");
            client.say("DATA");
            client.write(".\r\nNOOP\r\n".getBytes(StandardCharsets.US_ASCII));
            client.write("HELP\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));

            outcome.complete(DeliveryOutcome.UNAVAILABLE);

            assertThat(client.reply()).startsWith("451 4.3.0 ");
            assertThat(client.reply()).startsWith("250 2.0.0 OK");
            assertThat(client.reply()).startsWith("214-2.0.0 ");
            assertThat(client.reply()).startsWith("221 2.0.0 ");
            assertThat(client.reply()).isEmpty();
        }
    }

    @Test
    void clientNamedByATrustedBalancerIsTheOneInReceived() throws Exception {
        try (SmtpTestServer server = server(Map.of("proxy-networks", "127.0.0.0/8"));
                SmtpClient client = SmtpClient.connect(server.port())) {
            client.write("PROXY TCP4 192.0.2.77 192.0.2.1 4711 25\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(client.reply()).startsWith("220 ");
            client.say("EHLO client.example");
            assertThat(client.send("openproxied@in.example", MESSAGE)).startsWith("250 ");
        }
        assertThat(deliveredTo("openproxied")).contains("([192.0.2.77])");
    }

    @Test
    void connectionOfABalancerWithoutAHeaderIsClosed() throws Exception {
        try (SmtpTestServer server = server(Map.of("proxy-networks", "127.0.0.1"));
                SmtpClient client = SmtpClient.connect(server.port())) {
            client.write("EHLO client.example\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(client.reply()).isEmpty();
            await().untilAsserted(() -> assertThat(server.counts().all()).isZero());
        }
    }

    @Test
    void headerFromAnywhereElseIsAnUnknownCommand() throws Exception {
        try (SmtpTestServer server = server(Map.of("proxy-networks", "192.0.2.0/24,2001:db8::/32"));
                SmtpClient client = SmtpClient.connect(server.port())) {
            assertThat(client.reply()).startsWith("220 ");
            assertThat(client.say("PROXY TCP4 192.0.2.77 192.0.2.1 4711 25")).startsWith("500 5.5.1 ");
        }
    }

    @Test
    void settingsOutOfBoundsAreNamed() {
        for (Map.Entry<String, String> bad : Map.of(
                        "connections-max", "0",
                        "connections-per-client-max", "0",
                        "idle-timeout", "0s",
                        "data-timeout", "-1s",
                        "unheard-mails-max", "0",
                        "unheard-mails-kept", "0s",
                        "proxy-networks", "10.0.0.0/33",
                        "tls-configuration-name", "nowhere",
                        "tls-protocols", "TLSv1.1,TLSv1.2")
                .entrySet()) {
            Assertions.assertThatThrownBy(
                            () -> server(Map.of(bad.getKey(), bad.getValue())).close())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("oneshot.smtp." + bad.getKey());
        }
    }

    private String deliveredTo(String id) {
        return delivered.stream()
                .filter(t -> t.envelope().recipients().getFirst().addressId().equals(id))
                .map(t -> new String(t.octets().toByteArray(), StandardCharsets.US_ASCII))
                .findFirst()
                .orElse("nothing");
    }

    private SmtpTestServer server(Map<String, String> settings) {
        return server(settings, transaction -> {
            delivered.add(transaction);
            return CompletableFuture.completedFuture(DeliveryOutcome.STORED);
        });
    }

    private SmtpTestServer server(
            Map<String, String> settings, Function<MailTransaction, CompletableFuture<DeliveryOutcome>> delivery) {
        return new SmtpTestServer(
                vertx,
                SmtpTestServer.policy(),
                SmtpTestServer.memoryOf(10_000_000),
                certificate.asRegistry(),
                settings,
                delivery::apply);
    }
}
