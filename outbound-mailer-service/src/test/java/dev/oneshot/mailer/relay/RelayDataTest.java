package dev.oneshot.mailer.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.ComposedMail;
import dev.oneshot.mailer.compose.MimeComposer;
import dev.oneshot.mailer.relay.RelayResult.Failed;
import dev.oneshot.mailer.relay.RelayResult.Refused;
import dev.oneshot.mailer.relay.RelayResult.Relayed;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays that reply, close or hang before they have all data. */
class RelayDataTest {

    private static final ComposedMail SMALL = MimeComposer.compose(Requests.mail("s", "text", null, List.of()));
    /** More than the buffers of both sockets hold. */
    private static final ComposedMail LARGE =
            MimeComposer.compose(Requests.mail("s", "line\n".repeat(2_000_000), null, List.of()));

    private static final ScriptedRelay.Script FRIENDLY = new ScriptedRelay.Script() {};

    /** A relay that closes after its reply, one that continues the session, and one that stops reading. */
    @ParameterizedTest
    @ValueSource(strings = {ScriptedRelay.DROP, "552 5.3.4 I said too big", ScriptedRelay.DEAF})
    void aPermanentReplyInTheMiddleOfTheDataIsFinal(String afterwards) throws IOException {
        try (ScriptedRelay server =
                new ScriptedRelay(inTheMiddle("552-5.3.4 it is\r\n552 5.3.4 too big", afterwards))) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port()));

            assertThat(relay.send(LARGE, TestRelayConfig.validLease()))
                    .isEqualTo(new Refused(Failure.REPLY, new Reply(552, "5.3.4")));

            server.setScript(FRIENDLY);
            assertThat(relay.send(SMALL, TestRelayConfig.validLease())).isInstanceOf(Relayed.class);
            assertThat(server.taken()).hasSize(1);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"452 4.3.1 full,452,4.3.1", "421 4.3.2 going,421,4.3.2"})
    void aTransientReplyInTheMiddleOfTheDataIsNot(String reply, int code, String status) throws IOException {
        assertThat(sendLarge(reply, ScriptedRelay.DROP)).isEqualTo(new Failed(Failure.REPLY, new Reply(code, status)));
    }

    @Test
    void aRelayThatGoesInTheMiddleOfTheDataIsAFailureToRepeat() throws IOException {
        assertThat(sendLarge(ScriptedRelay.DROP)).isEqualTo(new Failed(Failure.CONNECTION, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {ScriptedRelay.DROP, ScriptedRelay.DEAF, "250 2.0.0 and again"})
    void noReplyInTheMiddleOfTheDataIsAnAcceptance(String afterwards) throws IOException {
        assertThat(sendLarge("250 2.0.0 ok", afterwards))
                .isEqualTo(new Failed(Failure.CONNECTION, new Reply(250, "2.0.0")));
        assertThat(sendLarge("354 more", afterwards)).isEqualTo(new Failed(Failure.CONNECTION, new Reply(354, null)));
    }

    @Test
    void replyBeforeTheDataIsNotAReplyToTheData() throws IOException {
        ScriptedRelay.Script hasty = new ScriptedRelay.Script() {
            @Override
            public String command(String line) {
                return line.startsWith("DATA") ? "354 go ahead\r\n250 2.0.0 queued" : "250 2.0.0 ok";
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(hasty)) {
            assertThat(TestRelayConfig.relay(TestRelayConfig.plain(server.port()))
                            .send(SMALL, TestRelayConfig.validLease()))
                    .isEqualTo(new Failed(Failure.CONNECTION, new Reply(250, "2.0.0")));

            await().until(() -> server.sessions() == 0);
            assertThat(server.taken()).isEmpty();
        }
    }

    @Test
    void replyInTheMiddleOfTheDataIsReadUnderTlsToo(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "localhost");

        assertThat(sendLarge(certificate, "552 5.3.4 too big", ScriptedRelay.DROP))
                .isEqualTo(new Refused(Failure.REPLY, new Reply(552, "5.3.4")));
        assertThat(sendLarge(certificate, "552 5.3.4 too big", ScriptedRelay.DEAF))
                .isEqualTo(new Refused(Failure.REPLY, new Reply(552, "5.3.4")));
        assertThat(sendLarge(certificate, "452 4.3.1 full", ScriptedRelay.DROP))
                .isEqualTo(new Failed(Failure.REPLY, new Reply(452, "4.3.1")));
        assertThat(sendLarge(certificate, "250 2.0.0 ok", ScriptedRelay.DROP))
                .isEqualTo(new Failed(Failure.CONNECTION, new Reply(250, "2.0.0")));
        assertThat(sendLarge(certificate, "250 2.0.0 ok"))
                .isEqualTo(new Failed(Failure.CONNECTION, new Reply(250, "2.0.0")));
        assertThat(sendLarge(certificate, ScriptedRelay.DROP)).isInstanceOf(Failed.class);
    }

    /** The relay may have rejected the mail while the end was in transit, and reply to the end as well. */
    @ParameterizedTest
    @ValueSource(strings = {"552 5.3.4 too big", "452 4.3.1 full"})
    void secondRejectionOfTheDataIsIgnored(String reply) throws IOException {
        ScriptedRelay.Script repeating = new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                return reply + "\r\n" + reply;
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(repeating)) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port()));
            assertThat(relay.send(SMALL, TestRelayConfig.validLease())).isNotInstanceOf(Relayed.class);

            server.setScript(FRIENDLY);
            assertThat(relay.send(SMALL, TestRelayConfig.validLease())).isInstanceOf(Relayed.class);
        }
    }

    @Test
    void aRelayThatStopsReadingTheDataEndsTheAttempt() throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(inTheMiddle(ScriptedRelay.DEAF))) {
            Relay relay = TestRelayConfig.relay(
                    TestRelayConfig.plain(server.port()).patience(Duration.ofSeconds(1), Duration.ofSeconds(1)));

            assertThat(relay.send(LARGE, TestRelayConfig.validLease())).isEqualTo(new Failed(Failure.TIMEOUT, null));
        }
    }

    private static RelayResult sendLarge(String... replies) throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(inTheMiddle(replies))) {
            return TestRelayConfig.relay(TestRelayConfig.plain(server.port()))
                    .send(LARGE, TestRelayConfig.validLease());
        }
    }

    private static RelayResult sendLarge(TestCertificate certificate, String... replies) throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(inTheMiddle(replies), certificate.serverContext())) {
            return TestRelayConfig.relay(
                            TestRelayConfig.plain(server.port()).starttls("localhost", Optional.of(certificate.pem())))
                    .send(LARGE, TestRelayConfig.validLease());
        }
    }

    private static ScriptedRelay.Script inTheMiddle(String... replies) {
        return new ScriptedRelay.Script() {
            @Override
            public List<String> inTheMiddle() {
                return List.of(replies);
            }
        };
    }
}
