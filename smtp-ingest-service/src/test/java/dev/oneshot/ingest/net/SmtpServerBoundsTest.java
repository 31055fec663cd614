package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.testing.LogLines;
import dev.oneshot.testing.SmtpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The bounds of the transport: limits on connections, timeouts, the PROXY protocol, the stop. */
class SmtpServerBoundsTest extends OwnServers {

    private static final byte[] MESSAGE = "Subject: x\r\n\r\nx\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String PROXY_HEADER = "PROXY TCP4 192.0.2.77 192.0.2.1 4711 25\r\n";

    @Test
    void oneConnectionMoreThanAllowedIsTurnedAwayUntilAnotherEnds() throws Exception {
        try (SmtpTestServer server = server(Map.of("connections-max", "2"));
                SmtpClient one = SmtpClient.greeted(server.port());
                SmtpClient _ = SmtpClient.greeted(server.port())) {
            try (SmtpClient three = SmtpClient.connect(server.port())) {
                assertThat(three.reply()).startsWith("421 4.3.2 ");
                assertThat(three.reply()).isEmpty();
            }

            one.say("QUIT");

            assertThat(one.reply()).isEmpty();
            await().ignoreExceptions()
                    .untilAsserted(() -> SmtpClient.greeted(server.port()).close());
        }
    }

    @Test
    void oneConnectionMoreThanAClientMayHaveIsTurnedAway() throws Exception {
        try (SmtpTestServer server = server(Map.of("connections-per-client-max", "1"));
                SmtpClient _ = SmtpClient.greeted(server.port());
                SmtpClient two = SmtpClient.connect(server.port())) {
            assertThat(two.reply()).startsWith("421 4.7.0 ");
            await().untilAsserted(() -> assertThat(server.connections()).isEqualTo(1));
        }
    }

    @Test
    void clientThatNeverEndsItsCommandIsSentAwayHoweverOftenItSendsAnOctet() throws Exception {
        try (SmtpTestServer server = server(Map.of("idle-timeout", "500ms"));
                SmtpClient client = SmtpClient.greeted(server.port())) {
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
            client.begin("open@in.example");
            client.write(MESSAGE);
            assertThat(client.reply()).startsWith("421 4.4.2 Data too slow");
            await().untilAsserted(() -> assertThat(server.memory().reserved()).isZero());
        }
    }

    @Test
    void lastReplyArrivesThoughTheClientKeepsSending() throws Exception {
        try (SmtpTestServer server = server(Map.of());
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.write("x".repeat(500_000));

            assertThat(client.reply()).startsWith("421 4.7.0 Line far too long");
            // Otherwise the server waits for more bytes.
            client.socket().shutdownOutput();
            assertThat(client.reply()).isEmpty();
        }
    }

    @Test
    void messageThatIsNotFinishedInTimeIsBrokenOff() throws Exception {
        try (SmtpTestServer server = server(Map.of());
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.begin("open@in.example");

            server.listener().stopNow();

            assertThat(client.reply()).startsWith("421 4.3.2 Service stopping");
            await().untilAsserted(() -> assertThat(server.memory().reserved()).isZero());
        }
    }

    @Test
    void clientThatWasGoneBeforeThe250GetsItAtItsRetry() throws Exception {
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        AtomicInteger deliveries = new AtomicInteger();
        try (SmtpTestServer server = server(Map.of(), _ -> {
            deliveries.incrementAndGet();
            return outcome;
        })) {
            try (SmtpClient client = SmtpClient.greeted(server.port())) {
                client.begin("once@in.example");
                client.write(MESSAGE);
                client.write(".\r\n");
                await().untilAsserted(() -> assertThat(deliveries).hasValue(1));
            }
            assertThat(server.memory().reserved()).isPositive();

            outcome.complete(DeliveryOutcome.STORED);
            await().untilAsserted(() -> assertThat(server.memory().reserved()).isZero());
            await().untilAsserted(() -> assertThat(server.connections()).isZero());

            try (SmtpClient client = SmtpClient.greeted(server.port())) {
                assertThat(client.send("once@in.example", MESSAGE)).startsWith("250 2.0.0 Stored as ");
                assertThat(client.send("once@in.example", "Subject: other\r\n".getBytes(StandardCharsets.US_ASCII)))
                        .startsWith("550 5.2.1 ");
            }
        }
    }

    @Test
    void headerFromAnywhereElseIsAnUnknownCommand() throws Exception {
        try (SmtpTestServer server = server(Map.of("proxy-networks", "192.0.2.0/24,2001:db8::/32"));
                SmtpClient client = SmtpClient.greeted(server.port())) {
            assertThat(client.say("PROXY TCP4 192.0.2.77 192.0.2.1 4711 25")).startsWith("500 5.5.1 ");
        }
    }

    @Test
    void clientThatIsNamedOnlyWhenTheServiceStopsIsSentAway() throws Exception {
        try (SmtpTestServer server = server(Map.of("proxy-networks", "127.0.0.0/8"));
                SmtpClient idle = SmtpClient.connect(server.port());
                SmtpClient late = SmtpClient.connect(server.port())) {
            idle.write(PROXY_HEADER);
            assertThat(idle.reply()).startsWith("220 ");
            late.write(PROXY_HEADER.substring(0, 20));
            await().untilAsserted(() -> assertThat(server.connections()).isEqualTo(2));

            server.listener().stopGently();
            assertThat(idle.reply()).startsWith("421 4.3.2 Service stopping");
            late.write(PROXY_HEADER.substring(20));

            assertThat(late.reply()).startsWith("421 4.3.2 Service stopping");
            assertThat(late.reply()).isEmpty();
        }
    }

    @Test
    void connectionWithoutAHeaderIsClosedAndTheLogSaysWhyOnceInAWhile() throws Exception {
        try (SmtpTestServer server = server(Map.of("proxy-networks", "127.0.0.0/8"));
                LogLines log = LogLines.of(SmtpListener.class)) {
            for (int i = 0; i < 2; i++) {
                try (SmtpClient direct = SmtpClient.connect(server.port())) {
                    direct.write("EHLO client.example\r\n");
                    assertThat(direct.reply()).isEmpty();
                }
            }

            assertThat(log.texts())
                    .singleElement(STRING)
                    .contains("PROXY header", "peer=127.0.0.1", "something else", "oneshot.smtp.proxy-networks");
        }
    }
}
