package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.net.ClientNetworks.Limit;
import dev.oneshot.ingest.smtp.session.ClientAllowance;
import dev.oneshot.testing.SmtpClient;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The limits of one network, which do not affect others. */
class ClientNetworksTest extends OwnServers {

    private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");

    private static final AtomicLong NOW = new AtomicLong();

    static ClientNetworks networks(int connections, int messages, int unknownRecipients) {
        return new ClientNetworks(
                SmtpTestServer.config(Map.of(
                        "connections-per-client-max", Integer.toString(connections),
                        "messages-per-client-max", Integer.toString(messages),
                        "unknown-recipients-per-client-max", Integer.toString(unknownRecipients),
                        "trusted-networks", "10.0.0.0/8")),
                NOW::get);
    }

    @Test
    void addressesOfOneNetworkShareItsConnections() {
        ClientNetworks networks = networks(1, 0, 0);

        assertThat(networks.enter(InetAddress.ofLiteral("2001:db8::1"))).isTrue();
        assertThat(networks.enter(InetAddress.ofLiteral("2001:db8::ffff:2"))).isFalse();
        assertThat(networks.enter(InetAddress.ofLiteral("2001:db8:0:1::1"))).isTrue();
        assertThat(networks.enter(ONE)).isTrue();
        assertThat(networks.enter(OTHER)).isTrue();
        assertThat(networks.refusals(Limit.CONNECTIONS)).isEqualTo(1);
        networks.leave(InetAddress.ofLiteral("2001:db8::1"));
        assertThat(networks.enter(InetAddress.ofLiteral("2001:db8::3"))).isTrue();
    }

    @Test
    void minuteGivesBackWhatWasTaken() {
        ClientNetworks networks = networks(1, 3, 2);
        ClientAllowance allowance = networks.allowance(ONE);

        assertThat(List.of(allowance.takeMessage(), allowance.takeMessage(), allowance.takeMessage()))
                .containsOnly(true);
        assertThat(allowance.takeMessage()).isFalse();
        assertThat(networks.allowance(OTHER).takeMessage()).isTrue();
        NOW.addAndGet(Duration.ofSeconds(20).toNanos());
        assertThat(networks.allowance(ONE).takeMessage()).isTrue();
        assertThat(allowance.takeMessage()).isFalse();
        assertThat(networks.refusals(Limit.MESSAGES)).isEqualTo(2);
        assertThat(networks.refusals(Limit.UNKNOWN_RECIPIENTS)).isZero();
    }

    @Test
    void trustedNetworkHasNoLimits() {
        ClientNetworks networks = networks(1, 1, 1);
        InetAddress relay = InetAddress.ofLiteral("10.1.2.3");

        for (int i = 0; i < 5; i++) {
            assertThat(networks.enter(relay)).isTrue();
            assertThat(networks.allowance(relay).takeMessage()).isTrue();
            assertThat(networks.allowance(relay).takeUnknownRecipient()).isTrue();
        }
        assertThat(networks.size()).isZero();
    }

    @Test
    void floodOfNewNetworksIsForgottenButNoConnection() {
        ClientNetworks networks = networks(1, 1, 1);
        networks.enter(ONE);

        for (int i = 0; i < 100_000; i++) {
            networks.allowance(InetAddress.ofLiteral("172.%d.%d.%d".formatted(16 + (i >> 16), (i >> 8) & 255, i & 255)))
                    .takeUnknownRecipient();
        }

        assertThat(networks.size()).isEqualTo(ClientNetworks.NETWORKS_MAX);
        assertThat(networks.enter(ONE)).isFalse();
    }

    @Test
    void messagesBeyondTheRateAreRefusedOverAllConnections() throws Exception {
        try (SmtpTestServer server = server(Map.of("messages-per-client-max", "1"));
                SmtpClient one = SmtpClient.greeted(server.port());
                SmtpClient two = SmtpClient.greeted(server.port())) {
            assertThat(one.say("MAIL FROM:<a@example.org>")).startsWith("250 ");
            assertThat(two.say("MAIL FROM:<a@example.org>")).startsWith("450 4.7.1 Too many messages");
            assertThat(two.say("NOOP")).startsWith("250 ");
        }
    }

    @Test
    void clientThatGuessesRecipientsIsSentAway() throws Exception {
        try (SmtpTestServer server = server(Map.of("unknown-recipients-per-client-max", "2"));
                SmtpClient one = SmtpClient.greeted(server.port());
                SmtpClient two = SmtpClient.greeted(server.port())) {
            one.say("MAIL FROM:<a@example.org>");
            two.say("MAIL FROM:<a@example.org>");
            assertThat(one.say("RCPT TO:<nobody1@in.example>")).startsWith("550 5.1.1 ");
            assertThat(two.say("RCPT TO:<nobody2@in.example>")).startsWith("550 5.1.1 ");
            assertThat(one.say("RCPT TO:<open1@in.example>")).startsWith("250 ");
            assertThat(one.say("RCPT TO:<nobody3@in.example>")).startsWith("421 4.7.1 Too many unknown recipients");
            assertThat(one.reply()).isEmpty();
            assertThat(two.say("RCPT TO:<open1@in.example>")).startsWith("250 ");
        }
    }

    @Test
    void mailForThePostmasterHasTheBoundOfUnknownRecipients() throws Exception {
        try (SmtpTestServer server = server(Map.of("unknown-recipients-per-client-max", "2"));
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("MAIL FROM:<a@example.org>");
            assertThat(client.say("RCPT TO:<postmaster>")).startsWith("250 ");
            assertThat(client.say("RCPT TO:<abuse@in.example>")).startsWith("250 ");
            assertThat(client.say("RCPT TO:<abuse>")).startsWith("450 4.7.1 Too many messages");
            client.say("RSET");
            client.say("MAIL FROM:<a@example.org>");
            assertThat(client.say("RCPT TO:<open1@in.example>")).startsWith("250 ");
        }
    }
}
