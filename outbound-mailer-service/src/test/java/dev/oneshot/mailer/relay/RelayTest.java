package dev.oneshot.mailer.relay;

import static dev.oneshot.mailer.compose.ParsedMail.composed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.SmtpMail;
import dev.oneshot.mailer.relay.RelayResult.Failed;
import dev.oneshot.mailer.relay.RelayResult.Refused;
import dev.oneshot.mailer.relay.RelayResult.Relayed;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelayTest {

    private static final SmtpMail MAIL = composed(Requests.mail("s", ".dot\n..\n", null, List.of()));
    private static final ScriptedRelay.Script WITHOUT_8BITMIME =
            ScriptedRelay.Script.replying("EHLO", "250-relay\r\n250 SIZE");
    private static final byte[] EIGHT_BIT = "Subject: x\r\n\r\n.Gr\u00FC\u00DFe\r\n".getBytes(StandardCharsets.UTF_8);

    @Test
    void aFriendlyRelayGetsExactlyTheMail() throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.FRIENDLY)) {
            RelayResult result = relay.send(MAIL);

            assertThat(result).isEqualTo(new Relayed(new Reply(250, "2.0.0")));
            assertThat(relay.server().taken()).singleElement().satisfies(mail -> {
                assertThat(mail.from()).isEqualTo(MAIL.reversePath());
                assertThat(mail.to()).isEqualTo("ada@example.org");
                assertThat(mail.data()).endsWith("\r\n\r\n.dot\r\n..\r\n");
                assertThat(mail.messageId()).isEqualTo("<" + MAIL.reversePath() + ">");
            });
            assertThat(relay.server().commands().get(1)).matches("MAIL FROM:<.*> SIZE=\\d+");
        }
    }

    /** It also decides whether the next mail uses the same connection. */
    @ParameterizedTest
    @CsvFileSource(resources = "/replies.txt", delimiter = '|', quoteCharacter = '\'')
    void replyDecides(String step, String reply, String result, int connections) throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.Script.replying(step, reply.translateEscapes()))) {
            assertThat(relay.send(MAIL)).isEqualTo(TestRelay.result(result));

            relay.server().setScript(ScriptedRelay.FRIENDLY);
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
            assertThat(relay.server().connections()).isEqualTo(connections);
        }
    }

    /** The form of replies differs from relay to relay. */
    @ParameterizedTest
    @CsvFileSource(resources = "/positive-replies.txt", delimiter = '|', quoteCharacter = '\'')
    void positiveReplyIsOneInAnyForm(String step, String reply) throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.Script.replying(step, reply.translateEscapes()))) {
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
            assertThat(relay.server().connections()).isOne();
        }
    }

    @Test
    void replyThatIsTooLongIsAFailureToRepeat() throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.Script.replying(".", "9".repeat(3000)))) {
            assertThat(relay.send(MAIL)).isEqualTo(new Failed(Failure.CONNECTION, null));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', reply-timeout",
        "MAIL, reply-timeout",
        "RCPT, reply-timeout",
        "DATA, reply-timeout",
        "RCPT, attempt-timeout",
        "., data-reply-timeout"
    })
    void noReplyIsWaitedForForever(String step, String timeout) throws IOException {
        try (TestRelay relay =
                TestRelay.of(ScriptedRelay.Script.replying(step, ScriptedRelay.HANG), Map.of(timeout, "500ms"))) {
            assertThat(relay.send(MAIL)).isEqualTo(new Failed(Failure.TIMEOUT, null));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "port, 65536",
        "port, 0",
        "connect-timeout, 0s",
        "reply-timeout, 0s",
        "data-reply-timeout, 0s",
        "attempt-timeout, 0s",
        "attempt-timeout, PT24H0.001S",
        "trust-file, /nowhere.pem"
    })
    void everyBadValueNamesItsKey(String key, String value) {
        assertThatThrownBy(() -> new Relay(TestRelay.config(Map.of(key, value)), TestRelay.NO_SPANS))
                .hasMessageContaining("oneshot.relay." + key);
    }

    @ParameterizedTest
    @CsvSource({"port, 1", "port, 65535", "reply-timeout, 1ms", "attempt-timeout, 1ms", "attempt-timeout, 24h"})
    void valuesAtTheBoundsAreAccepted(String key, String value) {
        assertThatCode(() -> new Relay(TestRelay.config(Map.of(key, value)), TestRelay.NO_SPANS))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {ScriptedRelay.DROP, ScriptedRelay.HANG, "421 4.3.2 going"})
    void aPermanentReplyIsFinalEvenIfTheRelayThenEndsTheConnection(String afterwards) throws IOException {
        ScriptedRelay.Script curt = ScriptedRelay.Script.replying(Map.of("RCPT", "550 5.1.1 who?", "RSET", afterwards));
        try (TestRelay relay = TestRelay.of(curt, Map.of("reply-timeout", "2s", "attempt-timeout", "60s"))) {
            assertThat(relay.send(MAIL)).isEqualTo(new Refused(Failure.REPLY, new Reply(550, "5.1.1")));
            relay.server().setScript(ScriptedRelay.FRIENDLY);
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
            assertThat(relay.server().connections()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"500 5.5.1 what?", "502 5.5.1 not implemented"})
    void aRelayThatKnowsNoExtensionsIsGreetedTheOldWay(String reply) throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.Script.replying("EHLO", reply))) {
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
            assertThat(relay.server().commands().get(1)).isEqualTo("HELO out.example.org");
            assertThat(relay.server().commands().get(2)).isEqualTo("MAIL FROM:<" + MAIL.reversePath() + ">");
        }
    }

    @Test
    void aRelayThatIsNotThereIsAFailureToRepeat() {
        String port = Integer.toString(LoopbackPorts.free());

        assertThat(new Relay(TestRelay.config(Map.of("port", port)), TestRelay.NO_SPANS).send(MAIL, () -> true))
                .isEqualTo(new Failed(Failure.CONNECTION, null));
    }

    @Test
    void relayHasTheWholeDataReplyTimeout() throws IOException {
        Duration attemptTimeout = Duration.ofSeconds(5);
        ScriptedRelay.Script considerate = new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                LockSupport.parkNanos(attemptTimeout.plusSeconds(1).toNanos());
                return ScriptedRelay.Script.super.data(mail);
            }
        };
        try (TestRelay relay =
                TestRelay.of(considerate, Map.of("data-reply-timeout", "60s", "attempt-timeout", "5s"))) {
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);
        }
    }

    @Test
    void anInternationalisedRecipientNeedsTheExtension() throws IOException {
        SmtpMail mail = composed(Requests.to("用户@example.org"));
        try (TestRelay old = TestRelay.of(ScriptedRelay.FRIENDLY);
                TestRelay relay = TestRelay.of(
                        ScriptedRelay.Script.replying("EHLO", "250-relay\r\n250-8BITMIME\r\n250 SMTPUTF8"))) {
            assertThat(old.send(mail)).isEqualTo(new Refused(Failure.UNSUPPORTED, null));
            assertThat(relay.send(mail)).isInstanceOf(Relayed.class);

            assertThat(relay.server().commands().get(1)).endsWith("> BODY=8BITMIME SMTPUTF8");
            assertThat(relay.server().taken().getFirst().to()).isEqualTo("用户@example.org");
        }
    }

    /** RFC 6531 wants 8BITMIME with it, but a parameter that is not offered would be rejected. */
    @Test
    void parametersThatAreNotOfferedAreNotSent() throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.Script.replying("EHLO", "250-relay\r\n250 SMTPUTF8"))) {
            assertThat(relay.send(composed(Requests.to("用户@example.org")))).isInstanceOf(Relayed.class);

            assertThat(relay.server().commands().get(1)).endsWith("> SMTPUTF8").doesNotContain("BODY");
        }
    }

    @Test
    void eightBitsThatCannotBeEncodedNeedTheExtension() throws IOException {
        SmtpMail mail = SmtpMail.relayed("ops@example.org", Octets.of(EIGHT_BIT));
        try (TestRelay old = TestRelay.of(WITHOUT_8BITMIME);
                TestRelay friendly = TestRelay.of(ScriptedRelay.FRIENDLY)) {
            assertThat(old.send(mail)).isEqualTo(new Refused(Failure.UNSUPPORTED, null));
            assertSentInEightBits(mail, friendly);
        }
    }

    @Test
    void attachedMessageOfEightBitsIsSentInSevenToARelayWithoutTheExtension() throws IOException {
        SmtpMail mail = composed(Requests.mail(
                "s",
                null,
                null,
                List.of(new MailRequested.Attachment("m.eml", "message/rfc822", Octets.of(EIGHT_BIT)))));
        try (TestRelay old = TestRelay.of(WITHOUT_8BITMIME);
                TestRelay friendly = TestRelay.of(ScriptedRelay.FRIENDLY)) {
            assertThat(old.send(mail)).isInstanceOf(Relayed.class);
            assertThat(old.server().commands().get(1)).matches("MAIL FROM:<.*> SIZE=\\d+");
            assertThat(old.server().taken().getFirst().data())
                    .matches("\\p{ASCII}*")
                    .contains(
                            "Content-Type: application/octet-stream;\r\n name=\"m.eml\"\r\n",
                            Base64.getEncoder().encodeToString(EIGHT_BIT));

            assertSentInEightBits(mail, friendly);
        }
    }

    private static void assertSentInEightBits(SmtpMail mail, TestRelay relay) {
        assertThat(relay.send(mail)).isInstanceOf(Relayed.class);
        assertThat(relay.server().commands().get(1)).matches("MAIL FROM:<.*> BODY=8BITMIME SIZE=\\d+");
        assertThat(relay.server().taken().getFirst().data()).contains(new String(EIGHT_BIT, StandardCharsets.UTF_8));
    }
}
