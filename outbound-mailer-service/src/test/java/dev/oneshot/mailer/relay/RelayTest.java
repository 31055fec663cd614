package dev.oneshot.mailer.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.ComposedMail;
import dev.oneshot.mailer.compose.MimeComposer;
import dev.oneshot.mailer.compose.RelayedMail;
import dev.oneshot.mailer.relay.RelayResult.Failed;
import dev.oneshot.mailer.relay.RelayResult.Refused;
import dev.oneshot.mailer.relay.RelayResult.Relayed;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelayTest {

    private static final ComposedMail MAIL = MimeComposer.compose(Requests.mail("s", ".dot\n..\n", null, List.of()));
    private static final ScriptedRelay.Script FRIENDLY = new ScriptedRelay.Script() {};

    @Test
    void aFriendlyRelayGetsExactlyTheMail() throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(FRIENDLY)) {
            RelayResult result = TestRelayConfig.relay(TestRelayConfig.plain(server.port()))
                    .send(MAIL, TestRelayConfig.validLease());

            assertThat(result).isEqualTo(new Relayed(new Reply(250, "2.0.0")));
            assertThat(server.taken()).singleElement().satisfies(mail -> {
                assertThat(mail.from()).isEqualTo(MAIL.reversePath());
                assertThat(mail.to()).isEqualTo("ada@example.org");
                assertThat(mail.data()).endsWith("\r\n\r\n.dot\r\n..\r\n");
                assertThat(mail.messageId()).isEqualTo("<" + MAIL.reversePath() + ">");
            });
            assertThat(server.commands().get(1)).matches("MAIL FROM:<.*> SIZE=\\d+");
        }
    }

    @ParameterizedTest
    @CsvSource({"MAIL,550 5.7.1 no", "RCPT,550 5.1.1 who?", "DATA,554 5.0.0 no"})
    void aPermanentReplyToTheMailIsFinal(String verb, String reply) throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(replying(verb, reply))) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port()));

            RelayResult result = relay.send(MAIL, TestRelayConfig.validLease());

            assertThat(result)
                    .isEqualTo(new Refused(
                            Failure.REPLY, new Reply(Integer.parseInt(reply.substring(0, 3)), reply.substring(4, 9))));
            server.setScript(FRIENDLY);
            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isInstanceOf(Relayed.class);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ScriptedRelay.DROP, ScriptedRelay.HANG, "421 4.3.2 going"})
    void aPermanentReplyIsFinalThoughTheRelayGoesAfterIt(String afterwards) throws IOException {
        ScriptedRelay.Script curt = new ScriptedRelay.Script() {
            @Override
            public String command(String line) {
                return switch (line.substring(0, 4)) {
                    case "RCPT" -> "550 5.1.1 who?";
                    case "RSET" -> afterwards;
                    default -> ScriptedRelay.Script.super.command(line);
                };
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(curt)) {
            Relay relay = TestRelayConfig.relay(
                    TestRelayConfig.plain(server.port()).patience(Duration.ofSeconds(5), Duration.ofSeconds(60)));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease()))
                    .isEqualTo(new Refused(Failure.REPLY, new Reply(550, "5.1.1")));
            server.setScript(FRIENDLY);
            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isInstanceOf(Relayed.class);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"500 5.5.1 what?", "502 5.5.1 not implemented"})
    void aRelayThatKnowsNoExtensionsIsGreetedTheOldWay(String reply) throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(helloing(reply))) {
            assertThat(TestRelayConfig.relay(TestRelayConfig.plain(server.port()))
                            .send(MAIL, TestRelayConfig.validLease()))
                    .isInstanceOf(Relayed.class);
            assertThat(server.commands().get(1)).isEqualTo("HELO out.example.org");
            assertThat(server.commands().get(2)).isEqualTo("MAIL FROM:<" + MAIL.reversePath() + ">");
        }
    }

    @Test
    void aRelayThatDoesNotLikeOurNameSaysNothingAboutTheMail() throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(helloing("550 5.7.1 who?"))) {
            assertThat(TestRelayConfig.relay(TestRelayConfig.plain(server.port()))
                            .send(MAIL, TestRelayConfig.validLease()))
                    .isEqualTo(new Failed(Failure.REPLY, new Reply(550, "5.7.1")));
            assertThat(server.commands()).hasSize(1);
        }
    }

    @Test
    void aPermanentReplyToTheDataIsFinal() throws IOException {
        assertThat(afterData("552 5.3.4 too big")).isEqualTo(new Refused(Failure.REPLY, new Reply(552, "5.3.4")));
    }

    @Test
    void aTransientReplyToTheDataIsNot() throws IOException {
        assertThat(afterData("450 4.2.1 later")).isEqualTo(new Failed(Failure.REPLY, new Reply(450, "4.2.1")));
    }

    @Test
    void aReplyOfSeveralLinesCountsByItsLast() throws IOException {
        assertThat(afterData("550-5.1.1 no\r\n550 5.1.2 really"))
                .isEqualTo(new Refused(Failure.REPLY, new Reply(550, "5.1.2")));
    }

    @Test
    void aConnectionDroppedAfterTheDataIsAFailureToRepeat() throws IOException {
        assertThat(afterData(ScriptedRelay.DROP)).isEqualTo(new Failed(Failure.CONNECTION, null));
    }

    @Test
    void nonsenseInsteadOfAReplyIsAFailureToRepeat() throws IOException {
        assertThat(afterData("hello")).isEqualTo(new Failed(Failure.CONNECTION, null));
        assertThat(afterData("9".repeat(3000))).isEqualTo(new Failed(Failure.CONNECTION, null));
    }

    @ParameterizedTest
    @CsvSource({"421 4.3.2 busy,421,4.3.2", "554 5.3.2 not you,554,5.3.2"})
    void aRelayThatDoesNotGreetSaysNothingAboutTheMail(String greeting, int code, String status) throws IOException {
        ScriptedRelay.Script script = new ScriptedRelay.Script() {
            @Override
            public String greeting() {
                return greeting;
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(script)) {
            assertThat(TestRelayConfig.relay(TestRelayConfig.plain(server.port()))
                            .send(MAIL, TestRelayConfig.validLease()))
                    .isEqualTo(new Failed(Failure.REPLY, new Reply(code, status)));
        }
    }

    @Test
    void aRelayThatIsNotThereIsAFailureToRepeat() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }

        assertThat(TestRelayConfig.relay(TestRelayConfig.plain(port)).send(MAIL, TestRelayConfig.validLease()))
                .isEqualTo(new Failed(Failure.CONNECTION, null));
    }

    @Test
    void aBannerThatDoesNotComeIsNotWaitedForForever() throws IOException {
        ScriptedRelay.Script silent = new ScriptedRelay.Script() {
            @Override
            public String greeting() {
                return ScriptedRelay.HANG;
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(silent)) {
            Relay relay = TestRelayConfig.relay(
                    TestRelayConfig.plain(server.port()).patience(Duration.ofMillis(300), Duration.ofSeconds(10)));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isEqualTo(new Failed(Failure.TIMEOUT, null));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"MAIL", "RCPT", "DATA"})
    void noReplyIsWaitedForForever(String verb) throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(replying(verb, ScriptedRelay.HANG))) {
            Relay relay = TestRelayConfig.relay(
                    TestRelayConfig.plain(server.port()).patience(Duration.ofMillis(300), Duration.ofSeconds(10)));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isEqualTo(new Failed(Failure.TIMEOUT, null));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"MAIL", "RCPT", "DATA"})
    void relayThatShutsDownIsTriedOnANewConnection(String verb) throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(replying(verb, "421 4.3.2 shutting down"))) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port()));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease()))
                    .isEqualTo(new Failed(Failure.REPLY, new Reply(421, "4.3.2")));

            server.setScript(FRIENDLY);
            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isInstanceOf(Relayed.class);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void anAttemptEndsAtItsDeadlineThoughTheRelayKeepsTalking() throws IOException {
        ScriptedRelay.Script endless = new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                return ScriptedRelay.HANG;
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(endless)) {
            Relay relay = TestRelayConfig.relay(
                    TestRelayConfig.plain(server.port()).patience(Duration.ofMillis(500), Duration.ofMillis(500)));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isEqualTo(new Failed(Failure.TIMEOUT, null));
        }
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
        try (ScriptedRelay server = new ScriptedRelay(considerate)) {
            Relay relay = TestRelayConfig.relay(
                    TestRelayConfig.plain(server.port()).patience(Duration.ofSeconds(60), attemptTimeout));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isInstanceOf(Relayed.class);
        }
    }

    @Test
    void anInternationalisedRecipientNeedsTheExtension() throws IOException {
        ComposedMail mail = MimeComposer.compose(Requests.to("用户@example.org"));
        ScriptedRelay.Script modern = new ScriptedRelay.Script() {
            @Override
            public String hello() {
                return "250-relay\r\n250-8BITMIME\r\n250 SMTPUTF8";
            }
        };
        try (ScriptedRelay old = new ScriptedRelay(FRIENDLY);
                ScriptedRelay server = new ScriptedRelay(modern)) {
            assertThat(TestRelayConfig.relay(TestRelayConfig.plain(old.port()))
                            .send(mail, TestRelayConfig.validLease()))
                    .isEqualTo(new Refused(Failure.UNSUPPORTED, null));
            assertThat(TestRelayConfig.relay(TestRelayConfig.plain(server.port()))
                            .send(mail, TestRelayConfig.validLease()))
                    .isInstanceOf(Relayed.class);

            assertThat(server.commands().get(1)).endsWith("> BODY=8BITMIME SMTPUTF8");
            assertThat(server.taken().getFirst().to()).isEqualTo("用户@example.org");
        }
    }

    @Test
    void eightBitsThatCannotBeEncodedNeedTheExtension() throws IOException {
        RelayedMail mail = new RelayedMail(
                "ops@example.org", Octets.of("Subject: x\r\n\r\n\u00FC".getBytes(StandardCharsets.UTF_8)), false, true);
        ScriptedRelay.Script oldFashioned = new ScriptedRelay.Script() {
            @Override
            public String hello() {
                return "250-relay\r\n250 SIZE";
            }
        };
        try (ScriptedRelay old = new ScriptedRelay(oldFashioned);
                ScriptedRelay server = new ScriptedRelay(FRIENDLY)) {
            assertThat(new Relay(TestRelayConfig.plain(old.port())).send(mail, TestRelayConfig.validLease()))
                    .isEqualTo(new Refused(Failure.UNSUPPORTED, null));
            assertThat(new Relay(TestRelayConfig.plain(server.port())).send(mail, TestRelayConfig.validLease()))
                    .isInstanceOf(Relayed.class);

            assertThat(server.commands().get(1)).startsWith("MAIL FROM:<> BODY=8BITMIME");
        }
    }

    @Test
    void anAttachedMessageOfEightBitsGoesOutAsItIsOnlyWhereItIsTaken() throws IOException {
        ComposedMail mail = MimeComposer.compose(Requests.mail(
                "s",
                null,
                null,
                List.of(new MailRequested.Attachment(
                        "m.eml",
                        "message/rfc822",
                        Octets.of("Subject: x\n\n.Gr\u00FC\u00DFe\n".getBytes(StandardCharsets.UTF_8))))));
        ScriptedRelay.Script oldFashioned = new ScriptedRelay.Script() {
            @Override
            public String hello() {
                return "250-relay\r\n250 SIZE";
            }
        };
        try (ScriptedRelay old = new ScriptedRelay(oldFashioned);
                ScriptedRelay server = new ScriptedRelay(FRIENDLY)) {
            assertThat(new Relay(TestRelayConfig.plain(old.port())).send(mail, TestRelayConfig.validLease()))
                    .isInstanceOf(Relayed.class);
            assertThat(new Relay(TestRelayConfig.plain(server.port())).send(mail, TestRelayConfig.validLease()))
                    .isInstanceOf(Relayed.class);

            assertThat(server.commands().get(1)).matches("MAIL FROM:<.*> BODY=8BITMIME SIZE=\\d+");
            assertThat(server.taken().getFirst().data())
                    .contains("Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 8bit\r\n")
                    .contains("\r\n\r\nSubject: x\r\n\r\n.Gr\u00FC\u00DFe\r\n\r\n--");
            assertThat(old.commands().get(1)).matches("MAIL FROM:<.*> SIZE=\\d+");
            assertThat(old.taken().getFirst().data())
                    .contains("Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n")
                    .matches("\\A\\p{ASCII}*\\z");
            assertThat(old.taken().getFirst().messageId())
                    .isEqualTo(server.taken().getFirst().messageId());
        }
    }

    @Test
    void everyBadValueNamesItsKey() {
        TestRelayConfig good = TestRelayConfig.plain(25);
        assertThatThrownBy(() -> TestRelayConfig.relay(TestRelayConfig.plain(65_536)))
                .hasMessageContaining("oneshot.relay.port");
        assertThatThrownBy(() -> TestRelayConfig.relay(good.patience(Duration.ZERO, Duration.ofSeconds(1))))
                .hasMessageContaining("oneshot.relay.connect-timeout");
        assertThatThrownBy(() -> TestRelayConfig.relay(good.patience(Duration.ofSeconds(2), Duration.ZERO)))
                .hasMessageContaining("oneshot.relay.attempt-timeout");
        assertThatThrownBy(
                        () -> TestRelayConfig.relay(good.starttls("localhost", Optional.of(Path.of("/nowhere.pem")))))
                .hasMessageContaining("oneshot.relay.trust-file");
    }

    private static RelayResult afterData(String reply) throws IOException {
        ScriptedRelay.Script script = new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                return reply;
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(script)) {
            return TestRelayConfig.relay(TestRelayConfig.plain(server.port())).send(MAIL, TestRelayConfig.validLease());
        }
    }

    private static ScriptedRelay.Script helloing(String reply) {
        return new ScriptedRelay.Script() {
            @Override
            public String hello() {
                return reply;
            }
        };
    }

    private static ScriptedRelay.Script replying(String verb, String reply) {
        return new ScriptedRelay.Script() {
            @Override
            public String command(String line) {
                return line.startsWith(verb) ? reply : ScriptedRelay.Script.super.command(line);
            }
        };
    }
}
