package dev.oneshot.mailer.letter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.event.LetterRequested;
import dev.oneshot.contracts.event.LetterRequested.Kind;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.mailer.relay.RelayResult;
import dev.oneshot.mailer.relay.TestRelay;
import dev.oneshot.mailer.sending.RelayResource;
import dev.oneshot.testing.ScriptedRelay;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.ext.mail.MailClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.TextBody;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Letters to a scripted relay with STARTTLS. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
@WithTestResource(RelayResource.class)
class LettersTest {

    private static final String NAME = "Bücher & <b>Söhne</b> 📚\r\nBcc: eve@example.org";
    private static final int MORE_THAN_THE_CLIENTS_DEFAULT_POOL = 12;
    private static final Instant NOW = Instant.parse("2026-11-22T20:00:00.123Z");

    private final Letters letters;
    private final MailClient client;
    private final Vertx vertx;
    private final ScriptedRelay relay = RelayResource.relay();
    private final String id = "letter-" + UUID.randomUUID();

    LettersTest(Letters letters, MailClient client, Vertx vertx) {
        this.letters = letters;
        this.client = client;
        this.vertx = vertx;
    }

    @Test
    void aReceiptSaysWhatWasAddedInTextAndHtml() throws Exception {
        send("ops@example.com", Kind.CREDITS_ADDED);

        Message mail = taken();
        assertThat(mail.getSubject()).isEqualTo("Receipt for your credits");
        assertThat(mail.getHeader().getField("Auto-Submitted").getBody()).isEqualTo("auto-generated");
        assertThat(relay.commands()).contains("STARTTLS");
        assertThat(mail.getMessageId()).isEqualTo("<" + id + "@example.org>");
        assertThat(mail.getMimeType()).isEqualTo("multipart/alternative");
        assertThat(text(mail, 0, "text/plain"))
                .contains("500 credits were added to the account " + NAME.replace("\r", ""))
                .contains("It now has 700 credits.")
                .contains("Reference: purchase-<1>");
        assertThat(text(mail, 1, "text/html"))
                .contains("Bücher &amp; &lt;b&gt;Söhne&lt;/b&gt; 📚")
                .contains("Reference: purchase-&lt;1&gt;");
    }

    @Test
    void aNameAddsNoHeaderField() throws Exception {
        send("ops@example.com", Kind.KEY_REPLACED);

        Message mail = taken();
        assertThat(mail.getHeader().getField("Bcc")).isNull();
        assertThat(mail.getHeader().getField("Cc")).isNull();
        assertThat(text(mail, 0, "text/plain")).contains("was replaced at 2026-11-22T20:00:00Z");
    }

    @Test
    void oneCreditIsSingular() throws Exception {
        assertThat(send(letters, letter(id, "ops@example.com", Kind.CREDITS_ADDED, 1, 1)))
                .isInstanceOf(RelayResult.Relayed.class);

        Message mail = taken();
        for (int part = 0; part < 2; part++) {
            assertThat(text(mail, part, part == 0 ? "text/plain" : "text/html"))
                    .contains("1 credit was added to the account")
                    .contains("It now has 1 credit.");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void eachKindIsSentOnceToItsContact(Kind kind) throws Exception {
        assertThat(send("ops@bücher.example", kind)).isEqualTo(new RelayResult.Relayed(new Reply(250, null)));

        assertThat(taken().getTo().toString()).contains("ops@xn--bcher-kva.example");
    }

    @Test
    void aRelayWithoutStarttlsOrWithTheCertificateOfAnotherHostGetsNoLetter() {
        for (SSLContext certificate : Arrays.asList(null, RelayResource.otherCertificate())) {
            relay.encryptWith(certificate);

            assertThat(send("ops@example.com", Kind.KEY_REPLACED))
                    .isEqualTo(new RelayResult.Failed(Failure.CONNECTION, null));
            assertNothingIsTaken();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jörg@example.com", "\"a b\"@example.com", "\"a,b@x\"@example.com"})
    void aContactThatTheClientCannotSendToIsRefused(String contact) {
        assertThat(send(contact, Kind.KEY_REPLACED)).isEqualTo(new RelayResult.Refused(Failure.UNSUPPORTED, null));

        assertNothingIsTaken();
    }

    private void assertNothingIsTaken() {
        assertThat(relay.taken()).noneMatch(mail -> mail.data().contains(id));
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT, 550 5.1.1 unknown, Refused REPLY 550",
        "MAIL, 451 4.3.0 later, Failed REPLY 451",
        "MAIL, 530 5.7.0 log in first, Failed REPLY 530",
        "MAIL, DROP, Failed CONNECTION"
    })
    void onlyAMailboxThatIsRefusedIsNotTriedAgain(String step, String reply, String result) {
        relay.setScript(ScriptedRelay.Script.replying(step, reply));

        assertThat(send("ops@example.com", Kind.KEY_REPLACED)).isEqualTo(TestRelay.result(result));
    }

    @RepeatedTest(30)
    void aLetterIsSentWhileTheConnectionOfOneThatFailedCloses() throws Exception {
        relay.setScript(ScriptedRelay.Script.replying("MAIL", "451 4.3.0 later"));
        assertThat(send("ops@example.com", Kind.KEY_REPLACED)).isInstanceOf(RelayResult.Failed.class);
        relay.setScript(ScriptedRelay.FRIENDLY);

        assertThat(send("ops@example.com", Kind.KEY_REPLACED)).isInstanceOf(RelayResult.Relayed.class);
        assertThat(taken().getMessageId()).startsWith("<" + id);
    }

    @Test
    void relaysThatDoNotReplyFailTheAttemptAndHoldUpNoOther() throws Exception {
        relay.setScript(ScriptedRelay.Script.replying("", ScriptedRelay.HANG));
        Letters impatient = new Letters(client, vertx, Duration.ofMillis(100));
        for (int i = 0; i < MORE_THAN_THE_CLIENTS_DEFAULT_POOL; i++) {
            // Each letter has an id of its own, as earlier letters may still be sent.
            assertThat(send(impatient, UUID.randomUUID().toString(), "ops@example.com", Kind.KEY_REPLACED))
                    .isEqualTo(new RelayResult.Failed(Failure.TIMEOUT, null));
        }
        relay.setScript(ScriptedRelay.FRIENDLY);

        assertThat(send("ops@example.com", Kind.KEY_REPLACED)).isInstanceOf(RelayResult.Relayed.class);
        assertThat(taken().getMessageId()).startsWith("<" + id);
    }

    private RelayResult send(String contact, Kind kind) {
        return send(letters, id, contact, kind);
    }

    /** Sends on a new virtual thread, as the service does. */
    private RelayResult send(Letters letters, String letterId, String contact, Kind kind) {
        return send(letters, letter(letterId, contact, kind, 500, 700));
    }

    private static LetterRequested letter(String letterId, String contact, Kind kind, long amount, long total) {
        @Nullable String reference = kind == Kind.CREDITS_ADDED ? "purchase-<1>" : null;
        return new LetterRequested(
                letterId,
                kind,
                "service@example.org",
                contact,
                NAME,
                amount,
                total,
                reference,
                NOW,
                NOW.plusSeconds(86_400));
    }

    private static RelayResult send(Letters letters, LetterRequested letter) {
        return CompletableFuture.supplyAsync(() -> letters.send(letter), Thread::startVirtualThread)
                .join();
    }

    private Message taken() throws IOException {
        ScriptedRelay.Mail mail = relay.taken().stream()
                .filter(one -> one.data().contains(id))
                .reduce((_, _) -> {
                    throw new AssertionError("sent twice");
                })
                .orElseThrow();
        assertThat(mail.from()).contains("service@example.org");
        return new DefaultMessageBuilder()
                .parseMessage(new ByteArrayInputStream(mail.data().getBytes(StandardCharsets.UTF_8)));
    }

    private static String text(Message mail, int part, String type) throws IOException {
        Entity entity = ((Multipart) mail.getBody()).getBodyParts().get(part);
        assertThat(entity.getMimeType()).isEqualTo(type);
        return new String(((TextBody) entity.getBody()).getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .replace("\r", "");
    }
}
