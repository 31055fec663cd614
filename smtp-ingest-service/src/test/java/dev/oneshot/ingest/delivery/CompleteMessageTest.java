package dev.oneshot.ingest.delivery;

import static dev.oneshot.ingest.smtp.session.DeliveryOutcome.ATTACHMENT_TOO_LARGE;
import static dev.oneshot.ingest.smtp.session.DeliveryOutcome.LOOP;
import static dev.oneshot.ingest.smtp.session.DeliveryOutcome.NOT_RELAYABLE;
import static dev.oneshot.ingest.smtp.session.DeliveryOutcome.NO_FAILURE_NOTICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.PostmasterMail;
import dev.oneshot.contracts.event.SendBounced;
import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.Envelope;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.data.MessageOctets;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.ingest.transcript.Transcript;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompleteMessageTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:30:00Z");
    private static final SmtpPolicy POLICY = Transcript.policyOf("postmaster=ops@example.org");

    private static final Recipient POSTMASTER = Recipient.postmaster(new Mailbox("postmaster", "in.example"), 1_000);
    private static final Recipient SENDING = new Recipient(
            "sending", new Mailbox("sending", "out.example"), 1_000, 1_000, false, Recipient.Kind.SENDING);
    private static final Recipient RECEIVING =
            new Recipient("receiving", new Mailbox("receiving", "in.example"), 1_000, 1_000, false);

    private static final String NOTIFICATION = """
        Content-Type: multipart/report; report-type=delivery-status; boundary=b

        --b
        Content-Type: message/delivery-status

        Reporting-MTA: dns; mx.example

        Final-Recipient: rfc822; nobody@example.org
        Action: %s
        Status: 5.1.1
        --b--
        """.replace("\n", "\r\n");

    @Test
    void mailOfTheOperatorIsRelayedAsItIs() {
        String text = "Received: a\r\nSubject: s\r\n\r\n.dot\r\n\u00FF\r\n";
        Octets raw = octets(text);

        CompleteMessage message = read(text, POSTMASTER);

        assertThat(message.refusal()).isEmpty();
        assertThat(message.event(POSTMASTER, POLICY, raw)).hasValueSatisfying(event -> {
            PostmasterMail mail = (PostmasterMail) event;
            assertThat(mail.key()).startsWith(PostmasterMail.ID_PREFIX);
            assertThat(mail.to()).isEqualTo("ops@example.org");
            assertThat(mail.raw()).isEqualTo(raw);
            assertThat(mail.expiresAt()).isAfter(NOW);
        });
    }

    @Test
    void mailThatCameRoundTooOftenIsNotRelayed() {
        String allowed = "received: x\r\n".repeat(CompleteMessage.RECEIVED_FIELDS_MAX);

        assertThat(read(allowed + "\r\ntext\r\n", POSTMASTER).refusal()).isEmpty();
        assertThat(read(allowed + "Received: y\r\n\r\ntext\r\n", POSTMASTER).refusal())
                .contains(LOOP);
        assertThat(read(allowed + "Received: y\r\n\r\ntext\r\n", RECEIVING).refusal())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb\r\n", "a\rb\r\n", "a\r\n.\nb\r\n", "a\0\r\n", "a\r", "a\r\r\n", "\n"})
    void whatSmtpCannotCarryIsNotRelayed(String body) {
        assertThat(read("Subject: s\r\n\r\n" + body, POSTMASTER).refusal()).contains(NOT_RELAYABLE);
        assertThat(read("Subject: s\r\n\r\n" + body, RECEIVING).refusal()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a\r\n", "\r\n\r\n"})
    void whatSmtpCanCarryIsRelayed(String body) {
        assertThat(read("Subject: s\r\n\r\n" + body, POSTMASTER).refusal()).isEmpty();
    }

    @Test
    void attachmentOverTheLimitOfARecipientIsRefused() {
        String header = "Content-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n";
        Base64.Encoder base64 = Base64.getMimeEncoder();

        assertThat(read(header + base64.encodeToString(new byte[1_000]), RECEIVING)
                        .refusal())
                .isEmpty();
        assertThat(read(header + base64.encodeToString(new byte[1_001]), RECEIVING)
                        .refusal())
                .contains(ATTACHMENT_TOO_LARGE);
    }

    @ParameterizedTest
    @CsvSource({"failed, true", "delayed, false"})
    void notificationIsABounceIfTheMailHasFailed(String action, boolean bounce) {
        CompleteMessage message = read(NOTIFICATION.formatted(action), SENDING);

        assertThat(message.refusal()).isEmpty();
        assertThat(message.event(SENDING, POLICY, octets("")))
                .isEqualTo(
                        bounce
                                ? Optional.of(new SendBounced("sending", Map.of("nobody@example.org", "5.1.1"), NOW))
                                : Optional.empty());
    }

    @Test
    void otherMailToASendingAddressIsRefused() {
        String withoutRecipient = NOTIFICATION.formatted("failed").replace("Final-Recipient", "X-Recipient");
        assertThat(read("Subject: out of office\r\n\r\n", SENDING).refusal()).contains(NO_FAILURE_NOTICE);
        assertThat(read(withoutRecipient, SENDING).refusal()).contains(NO_FAILURE_NOTICE);
    }

    @Test
    void notificationToAReceivingAddressIsMail() {
        String text = NOTIFICATION.formatted("failed");

        assertThat(read(text, RECEIVING).event(RECEIVING, POLICY, octets(text)))
                .hasValueSatisfying(event -> assertThat(event).isInstanceOf(MailInbound.class));
    }

    private static CompleteMessage read(String text, Recipient... recipients) {
        return CompleteMessage.of(transaction(octets(text).array(), List.of(recipients)), octets(text));
    }

    static MailTransaction transaction(byte[] octets, List<Recipient> recipients) {
        return new MailTransaction(
                "t",
                new Origin(new Client("s", InetAddress.getLoopbackAddress(), false), "client.example", true, null),
                new Envelope(new ReversePath.Null(), recipients),
                new MessageOctets(List.of(ByteBuffer.wrap(octets)), 0, () -> {}),
                NOW,
                "");
    }

    private static Octets octets(String text) {
        return Octets.of(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
