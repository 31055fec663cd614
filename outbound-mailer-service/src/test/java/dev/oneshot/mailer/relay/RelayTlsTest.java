package dev.oneshot.mailer.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.ComposedMail;
import dev.oneshot.mailer.compose.MimeComposer;
import dev.oneshot.mailer.relay.RelayResult.Failed;
import dev.oneshot.mailer.relay.RelayResult.Relayed;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS and authentication. */
class RelayTlsTest {

    private static final ComposedMail MAIL = MimeComposer.compose(Requests.mail("s", "text", null, List.of()));
    private static final ScriptedRelay.Script FRIENDLY = new ScriptedRelay.Script() {};

    @Test
    void aRelayWithoutStarttlsGetsNoMail() throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(replying("STARTTLS", "502 5.5.1 what?"))) {
            Relay relay =
                    TestRelayConfig.relay(TestRelayConfig.plain(server.port()).starttls("localhost", Optional.empty()));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease()))
                    .isEqualTo(new Failed(Failure.TLS, new Reply(502, "5.5.1")));
            assertThat(server.taken()).isEmpty();
        }
    }

    @Test
    void anUntrustedCertificateGetsNoMail(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "localhost");
        try (ScriptedRelay server = new ScriptedRelay(FRIENDLY, certificate.serverContext())) {
            Relay relay =
                    TestRelayConfig.relay(TestRelayConfig.plain(server.port()).starttls("localhost", Optional.empty()));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isEqualTo(new Failed(Failure.TLS, null));
            assertThat(server.taken()).isEmpty();
        }
    }

    @Test
    void aCertificateForAnotherNameGetsNoMail(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "other.example.org");
        try (ScriptedRelay server = new ScriptedRelay(FRIENDLY, certificate.serverContext())) {
            Relay relay = TestRelayConfig.relay(
                    TestRelayConfig.plain(server.port()).starttls("localhost", Optional.of(certificate.pem())));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isEqualTo(new Failed(Failure.TLS, null));
            assertThat(server.taken()).isEmpty();
        }
    }

    @Test
    void aTrustedRelayIsLoggedInToEncrypted(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "localhost");
        try (ScriptedRelay server = new ScriptedRelay(authenticating(null), certificate.serverContext())) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port())
                    .starttls("localhost", Optional.of(certificate.pem()))
                    .login("mailer", "s3cret"));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isInstanceOf(Relayed.class);

            String token = Base64.getEncoder().encodeToString("\0mailer\0s3cret".getBytes(StandardCharsets.UTF_8));
            assertThat(server.commands()).contains("STARTTLS", "AUTH PLAIN " + token);
        }
    }

    @Test
    void refusedCredentialsAreNotTheMailsFault(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "localhost");
        try (ScriptedRelay server = new ScriptedRelay(authenticating("535 5.7.8 wrong"), certificate.serverContext())) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port())
                    .starttls("localhost", Optional.of(certificate.pem()))
                    .login("mailer", "wrong"));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease()))
                    .isEqualTo(new Failed(Failure.AUTHENTICATION, new Reply(535, "5.7.8")));
        }
    }

    @Test
    void beingAskedToLogInIsNotTheMailsFault() throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(replying("MAIL", "530 5.7.0 log in"))) {
            assertThat(TestRelayConfig.relay(TestRelayConfig.plain(server.port()))
                            .send(MAIL, TestRelayConfig.validLease()))
                    .isEqualTo(new Failed(Failure.AUTHENTICATION, new Reply(530, "5.7.0")));
        }
    }

    @Test
    void aPasswordInTheClearStopsTheStart() {
        assertThatThrownBy(() -> TestRelayConfig.relay(TestRelayConfig.plain(25).login("mailer", "s3cret")))
                .hasMessageContaining("oneshot.relay.tls");
    }

    @Test
    void aRelayThatIsEncryptedFromTheFirstOctetGetsTheMail(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "localhost");
        try (ScriptedRelay server = ScriptedRelay.encrypted(authenticating(null), certificate.serverContext())) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port())
                    .implicit("localhost", certificate.pem())
                    .login("mailer", "s3cret"));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isInstanceOf(Relayed.class);

            assertThat(server.commands()).doesNotContain("STARTTLS");
            assertThat(server.commands().get(1)).startsWith("AUTH PLAIN ");
        }
    }

    @Test
    void aPlainRelayWhereEncryptionIsExpectedGetsNothing(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "localhost");
        try (ScriptedRelay server = new ScriptedRelay(FRIENDLY)) {
            Relay relay = TestRelayConfig.relay(
                    TestRelayConfig.plain(server.port()).implicit("localhost", certificate.pem()));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isEqualTo(new Failed(Failure.TLS, null));
            assertThat(server.taken()).isEmpty();
        }
    }

    @Test
    void relayWithoutStarttlsDoesNotGetThePassword() throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(replying("STARTTLS", "454 4.7.0 not now"))) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port())
                    .starttls("localhost", Optional.empty())
                    .login("mailer", "s3cret"));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease()))
                    .isEqualTo(new Failed(Failure.TLS, new Reply(454, "4.7.0")));
            assertThat(server.commands()).noneMatch(command -> command.startsWith("AUTH"));
        }
    }

    @Test
    void injectedRepliesBeforeTlsAreDropped(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "localhost");
        ScriptedRelay.Script injecting = new ScriptedRelay.Script() {
            @Override
            public String goAhead() {
                return "220 2.0.0 go ahead\r\n250-injected\r\n250 AUTH PLAIN";
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(injecting, certificate.serverContext())) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port())
                    .starttls("localhost", Optional.of(certificate.pem()))
                    .login("mailer", "s3cret"));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease()))
                    .isIn(new Failed(Failure.TLS, null), new Failed(Failure.AUTHENTICATION, null));
            assertThat(server.commands()).noneMatch(command -> command.startsWith("AUTH"));
        }
    }

    @Test
    void loginIsSpokenWhereThereIsNoPlain(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "localhost");
        ScriptedRelay.Script old = new ScriptedRelay.Script() {
            @Override
            public String hello() {
                return "250-relay\r\n250 AUTH LOGIN CRAM-MD5";
            }

            @Override
            public String command(String line) {
                return switch (line) {
                    case "AUTH LOGIN" -> "334 VXNlcm5hbWU6";
                    case "bWFpbGVy" -> "334 UGFzc3dvcmQ6";
                    case "czNjcmV0" -> "235 2.7.0 welcome";
                    default -> ScriptedRelay.Script.super.command(line);
                };
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(old, certificate.serverContext())) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port())
                    .starttls("localhost", Optional.of(certificate.pem()))
                    .login("mailer", "s3cret"));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease())).isInstanceOf(Relayed.class);

            assertThat(server.commands()).containsSubsequence("AUTH LOGIN", "bWFpbGVy", "czNjcmV0");
        }
    }

    @Test
    void relayWithoutASupportedMechanismIsAnAuthenticationFailure(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "localhost");
        try (ScriptedRelay server = new ScriptedRelay(FRIENDLY, certificate.serverContext())) {
            Relay relay = TestRelayConfig.relay(TestRelayConfig.plain(server.port())
                    .starttls("localhost", Optional.of(certificate.pem()))
                    .login("mailer", "s3cret"));

            assertThat(relay.send(MAIL, TestRelayConfig.validLease()))
                    .isEqualTo(new Failed(Failure.AUTHENTICATION, null));
            assertThat(server.taken()).isEmpty();
        }
    }

    private static ScriptedRelay.Script replying(String verb, String reply) {
        return new ScriptedRelay.Script() {
            @Override
            public String command(String line) {
                return line.startsWith(verb) ? reply : ScriptedRelay.Script.super.command(line);
            }
        };
    }

    private static ScriptedRelay.Script authenticating(@Nullable String refusal) {
        return new ScriptedRelay.Script() {
            @Override
            public String hello() {
                return "250-relay\r\n250 AUTH LOGIN PLAIN";
            }

            @Override
            public String command(String line) {
                if (line.startsWith("AUTH")) {
                    return refusal == null ? "235 2.7.0 welcome" : refusal;
                }
                return ScriptedRelay.Script.super.command(line);
            }
        };
    }
}
