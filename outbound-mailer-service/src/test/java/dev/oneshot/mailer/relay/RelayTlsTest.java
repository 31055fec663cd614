package dev.oneshot.mailer.relay;

import static dev.oneshot.mailer.compose.ParsedMail.composed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.SmtpMail;
import dev.oneshot.mailer.relay.RelayResult.Failed;
import dev.oneshot.mailer.relay.RelayResult.Relayed;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS and authentication. */
class RelayTlsTest {

    private static final SmtpMail MAIL = composed(Requests.mail("s", "text", null, List.of()));

    private static RelayCertificates certificates;

    @BeforeAll
    static void makeCertificates(@TempDir Path directory) throws Exception {
        certificates = RelayCertificates.make(directory);
    }

    @Test
    void anUntrustedCertificateGetsNoMail() throws Exception {
        assertTlsFails(untrusting(new ScriptedRelay(ScriptedRelay.FRIENDLY, certificates.own()), ""));
    }

    @Test
    void aCertificateForAnotherNameGetsNoMail() throws Exception {
        assertTlsFails(starttls(new ScriptedRelay(ScriptedRelay.FRIENDLY, certificates.other()), ""));
    }

    @Test
    void aPlainRelayWhereEncryptionIsExpectedGetsNothing() throws Exception {
        assertTlsFails(implicit(new ScriptedRelay(ScriptedRelay.FRIENDLY), ""));
    }

    private static void assertTlsFails(TestRelay relay) throws IOException {
        try (relay) {
            assertThat(relay.send(MAIL)).isEqualTo(new Failed(Failure.TLS, null));
            assertThat(relay.server().taken()).isEmpty();
        }
    }

    @Test
    void aTrustedRelayIsLoggedInToEncrypted() throws Exception {
        try (TestRelay relay =
                starttls(new ScriptedRelay(authenticating("235 2.7.0 welcome"), certificates.own()), "s3cret")) {
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);

            String token = Base64.getEncoder().encodeToString("\0mailer\0s3cret".getBytes(StandardCharsets.UTF_8));
            assertThat(relay.server().commands()).contains("STARTTLS", "AUTH PLAIN " + token);
        }
    }

    @Test
    void refusedCredentialsAreNotTheMailsFault() throws Exception {
        try (TestRelay relay =
                starttls(new ScriptedRelay(authenticating("535 5.7.8 wrong"), certificates.own()), "wrong")) {
            assertThat(relay.send(MAIL)).isEqualTo(new Failed(Failure.AUTHENTICATION, new Reply(535, "5.7.8")));
        }
    }

    @Test
    void aPasswordInTheClearStopsTheStart() {
        assertThatThrownBy(() -> new Relay(TestRelay.config(Map.of("username", "mailer", "password", "s3cret"))))
                .hasMessageContaining("oneshot.relay.tls");
    }

    @Test
    void aRelayThatIsEncryptedFromTheFirstOctetGetsTheMail() throws Exception {
        try (TestRelay relay =
                implicit(ScriptedRelay.encrypted(authenticating("235 2.7.0 welcome"), certificates.own()), "s3cret")) {
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);

            assertThat(relay.server().commands()).doesNotContain("STARTTLS");
            assertThat(relay.server().commands().get(1)).startsWith("AUTH PLAIN ");
        }
    }

    @ParameterizedTest
    @CsvSource({"454 4.7.0 not now, Failed TLS 454 4.7.0", "502 5.5.1 what?, Failed TLS 502 5.5.1"})
    void relayWithoutStarttlsGetsNeitherMailNorPassword(String reply, String result) throws IOException {
        try (TestRelay relay =
                untrusting(new ScriptedRelay(ScriptedRelay.Script.replying("STARTTLS", reply)), "s3cret")) {
            assertThat(relay.send(MAIL)).isEqualTo(TestRelay.result(result));
            assertThat(relay.server().taken()).isEmpty();
            assertThat(relay.server().commands()).noneMatch(command -> command.startsWith("AUTH"));
        }
    }

    @Test
    void injectedRepliesBeforeTlsAreDropped() throws Exception {
        ScriptedRelay.Script injecting = new ScriptedRelay.Script() {
            @Override
            public String goAhead() {
                return "220 2.0.0 go ahead\r\n250-injected\r\n250 AUTH PLAIN";
            }
        };
        try (TestRelay relay = starttls(new ScriptedRelay(injecting, certificates.own()), "s3cret")) {
            assertThat(relay.send(MAIL)).isIn(new Failed(Failure.TLS, null), new Failed(Failure.AUTHENTICATION, null));
            assertThat(relay.server().commands()).noneMatch(command -> command.startsWith("AUTH"));
        }
    }

    /** Old relays offer mechanisms after an equals sign, and some ignore the initial response (RFC 4954 §4). */
    @ParameterizedTest
    @CsvSource({
        "AUTH LOGIN PLAIN, 235 2.7.0 welcome",
        "AUTH=LOGIN PLAIN, 235 2.7.0 welcome",
        "AUTH=PLAIN, 235 2.7.0 welcome",
        "auth plain login, 235 2.7.0 welcome",
        "AUTH PLAIN, 334 "
    })
    void plainIsSpokenWhereItIsOffered(String offer, String reply) throws Exception {
        String token = Base64.getEncoder().encodeToString("\0mailer\0s3cret".getBytes(StandardCharsets.UTF_8));
        ScriptedRelay.Script script = ScriptedRelay.Script.replying(
                Map.of("EHLO", "250-relay\r\n250 " + offer, "AUTH PLAIN", reply, token, "235 2.7.0 welcome"));
        try (TestRelay relay = starttls(new ScriptedRelay(script, certificates.own()), "s3cret")) {
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);

            assertThat(relay.server().commands()).contains("AUTH PLAIN " + token);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AUTH LOGIN CRAM-MD5",
                "AUTH=LOGIN",
                "AUTH=CRAM-MD5 LOGIN",
                "AUTH=NTLM LOGIN",
                "auth login",
                "AUTH XPLAIN LOGIN",
                "AUTH PLAIN LOGIN"
            })
    void loginIsSpokenWherePlainIsNotKnown(String offer) throws Exception {
        ScriptedRelay.Script old = ScriptedRelay.Script.replying(Map.of(
                "EHLO", "250-relay\r\n250 " + offer,
                "AUTH PLAIN", "504 5.5.4 unrecognized authentication type",
                "AUTH LOGIN", "334 VXNlcm5hbWU6",
                "bWFpbGVy", "334 UGFzc3dvcmQ6",
                "czNjcmV0", "235 2.7.0 welcome"));
        try (TestRelay relay = starttls(new ScriptedRelay(old, certificates.own()), "s3cret")) {
            assertThat(relay.send(MAIL)).isInstanceOf(Relayed.class);

            assertThat(relay.server().commands()).containsSubsequence("AUTH LOGIN", "bWFpbGVy", "czNjcmV0");
        }
    }

    @Test
    void relayWithoutASupportedMechanismIsAnAuthenticationFailure() throws Exception {
        try (TestRelay relay = starttls(new ScriptedRelay(ScriptedRelay.FRIENDLY, certificates.own()), "s3cret")) {
            assertThat(relay.send(MAIL)).isEqualTo(new Failed(Failure.AUTHENTICATION, null));
            assertThat(relay.server().taken()).isEmpty();
        }
    }

    private static TestRelay starttls(ScriptedRelay server, String password) {
        return relay(server, "starttls", certificates.trusted().toString(), password);
    }

    private static TestRelay implicit(ScriptedRelay server, String password) {
        return relay(server, "implicit", certificates.trusted().toString(), password);
    }

    /** Trusts the certificates of Java's trust store. */
    private static TestRelay untrusting(ScriptedRelay server, String password) {
        return relay(server, "starttls", "", password);
    }

    private static TestRelay relay(ScriptedRelay server, String tls, String trustFile, String password) {
        Map<String, String> settings = new HashMap<>(Map.of("tls", tls, "host", "localhost", "trust-file", trustFile));
        if (!password.isEmpty()) {
            settings.putAll(Map.of("username", "mailer", "password", password));
        }
        return TestRelay.of(server, settings);
    }

    private static ScriptedRelay.Script authenticating(String reply) {
        return ScriptedRelay.Script.replying(Map.of("EHLO", "250-relay\r\n250 AUTH LOGIN PLAIN", "AUTH", reply));
    }
}
