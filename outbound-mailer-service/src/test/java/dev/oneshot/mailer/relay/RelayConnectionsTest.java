package dev.oneshot.mailer.relay;

import static dev.oneshot.mailer.compose.ParsedMail.composed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.SmtpMail;
import dev.oneshot.mailer.relay.RelayResult.Refused;
import dev.oneshot.mailer.relay.RelayResult.Relayed;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Connections are reused, up to a number of mails and a time. */
class RelayConnectionsTest {

    private static final SmtpMail MAIL = composed(Requests.mail("s", "text", null, List.of()));
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Test
    void aConnectionCarriesManyMailsButNotMoreThanItMay() throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.FRIENDLY)) {
            for (int i = 0; i < 4; i++) {
                assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
            }

            assertThat(relay.server().connections()).isEqualTo(2);
        }
    }

    @Test
    void aConnectionIsKeptAfterAMailThatNeedsAnExtensionTheRelayLacks() throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.FRIENDLY)) {
            assertThat(relay.send(composed(Requests.to("jörg@example.org"))))
                    .isEqualTo(new Refused(Failure.UNSUPPORTED, null));

            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
            assertThat(relay.server().connections()).isEqualTo(1);
        }
    }

    @Test
    void aKeptConnectionThatTheRelayHasClosedIsReplacedSilently() throws IOException {
        AtomicInteger mails = new AtomicInteger();
        ScriptedRelay.Script forgetful = new ScriptedRelay.Script() {
            @Override
            public String command(String line) {
                boolean second = line.startsWith("MAIL") && mails.incrementAndGet() == 2;
                return second ? ScriptedRelay.DROP : ScriptedRelay.Script.super.command(line);
            }
        };
        try (TestRelay relay = TestRelay.of(forgetful)) {
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);

            assertThat(relay.server().taken()).hasSize(2);
            assertThat(relay.server().connections()).isEqualTo(2);
        }
    }

    @Test
    void unusedConnectionsAreClosed() throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.FRIENDLY, Map.of("idle-timeout", "50ms"))) {
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);

            await().until(() -> relay.server().sessions() == 0);

            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
            await().until(() -> relay.server().sessions() == 0);
        }
    }

    @Test
    void everyAddressOfTheRelayIsTried() throws Exception {
        InetAddress unused = InetAddress.ofLiteral("127.0.0.2");
        try (ScriptedRelay server = new ScriptedRelay(ScriptedRelay.FRIENDLY)) {
            SmtpChannel channel = new SmtpChannel();

            channel.connect(new InetAddress[] {unused, InetAddress.getLoopbackAddress()}, server.port(), TIMEOUT);

            assertThat(channel.reply(TIMEOUT).code()).isEqualTo(220);
            channel.abort();
        }
    }
}
