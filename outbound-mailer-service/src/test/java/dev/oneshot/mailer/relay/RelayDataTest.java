package dev.oneshot.mailer.relay;

import static dev.oneshot.mailer.compose.ParsedMail.composed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.SmtpMail;
import dev.oneshot.mailer.relay.RelayResult.Failed;
import dev.oneshot.mailer.relay.RelayResult.Relayed;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays that reply, close or hang before they have all data. */
class RelayDataTest {

    private static final SmtpMail SMALL = composed(Requests.mail("s", "text", null, List.of()));
    /** More than the buffers of both sockets hold. */
    private static final SmtpMail LARGE = composed(Requests.mail("s", "line\n".repeat(2_000_000), null, List.of()));

    /** Then the relay closes the connection, stops reading, or continues the session. */
    @ParameterizedTest
    @CsvFileSource(resources = "/replies-in-the-data.txt", delimiter = '|', quoteCharacter = '\'')
    void replyInTheMiddleOfTheDataIsNoAcceptance(String reply, String afterwards, String result) throws IOException {
        checkLarge(new ScriptedRelay(inTheMiddle(reply.translateEscapes(), afterwards)), Map.of(), result);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/replies-in-the-data.txt", delimiter = '|', quoteCharacter = '\'')
    void replyInTheMiddleOfTheDataIsReadUnderTlsToo(
            String reply, String afterwards, String result, @TempDir Path directory) throws Exception {
        RelayCertificates certificates = RelayCertificates.make(directory);
        checkLarge(
                new ScriptedRelay(inTheMiddle(reply.translateEscapes(), afterwards), certificates.own()),
                Map.of(
                        "tls", "starttls",
                        "host", "localhost",
                        "trust-file", certificates.trusted().toString()),
                result);
    }

    private static void checkLarge(ScriptedRelay server, Map<String, String> settings, String result)
            throws IOException {
        try (TestRelay relay = TestRelay.of(server, settings)) {
            assertThat(relay.send(LARGE)).isEqualTo(TestRelay.result(result));

            server.setScript(ScriptedRelay.FRIENDLY);
            assertThat(relay.send(SMALL)).isInstanceOf(Relayed.class);
            assertThat(server.taken()).hasSize(1);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void replyBeforeTheDataIsNotAReplyToTheData() throws IOException {
        try (TestRelay relay =
                TestRelay.of(ScriptedRelay.Script.replying("DATA", "354 go ahead\r\n250 2.0.0 queued"))) {
            assertThat(relay.send(SMALL)).isEqualTo(new Failed(Failure.CONNECTION, new Reply(250, "2.0.0")));

            await().until(() -> relay.server().sessions() == 0);
            assertThat(relay.server().taken()).isEmpty();
        }
    }

    /** The relay may have rejected the mail while the end was in transit, and reply to the end as well. */
    @ParameterizedTest
    @ValueSource(strings = {"552 5.3.4 too big", "452 4.3.1 full"})
    void secondRejectionOfTheDataIsIgnored(String reply) throws IOException {
        try (TestRelay relay = TestRelay.of(ScriptedRelay.Script.replying(".", reply + "\r\n" + reply))) {
            assertThat(relay.send(SMALL)).isNotInstanceOf(Relayed.class);

            relay.server().setScript(ScriptedRelay.FRIENDLY);
            assertThat(relay.send(SMALL)).isInstanceOf(Relayed.class);
        }
    }

    @Test
    void aRelayThatStopsReadingTheDataEndsTheAttempt() throws IOException {
        try (TestRelay relay =
                TestRelay.of(inTheMiddle(ScriptedRelay.DEAF), Map.of("reply-timeout", "1s", "attempt-timeout", "1s"))) {
            assertThat(relay.send(LARGE)).isEqualTo(new Failed(Failure.TIMEOUT, null));
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
