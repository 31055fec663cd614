package dev.oneshot.contracts.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The events of sending; {@link EventCodecTest} encodes and decodes them. */
class SendEventsTest {

    private static final Instant REQUESTED_AT = Instant.parse("2026-11-20T12:00:00.123456Z");
    private static final String ADDRESS_ID = "cejqwzabcdefghijklmnopqr";

    static final MailRequested REQUESTED = new MailRequested(
            ADDRESS_ID,
            ADDRESS_ID + "@out.example.org",
            new MailRequested.Mail(
                    "用户@例え.jp",
                    "Grüße 📬",
                    utf8("Hallo\nWelt"),
                    utf8("<p>Hallö</p>"),
                    List.of(
                            new MailRequested.Attachment(
                                    "日本.pdf", "application/pdf", Octets.of(new byte[] {0, -1, 13, 10})),
                            new MailRequested.Attachment(
                                    "empty", "text/plain; charset=utf-8", Octets.of(new byte[0])))),
            REQUESTED_AT,
            REQUESTED_AT.plusSeconds(3600));

    static final LetterRequested LETTER = new LetterRequested(
            "letter-0b6f1c4e-9a53-4f5e-8d0e-2f6c1f1f7a10",
            LetterRequested.Kind.CREDITS_ADDED,
            "service@example.org",
            "用户@例え.jp",
            "Grüße 📬",
            500,
            700,
            "order 4711",
            REQUESTED_AT,
            REQUESTED_AT.plusSeconds(86_400));

    static final MailSettled SETTLED = new MailSettled(
            ADDRESS_ID,
            MailSettled.Outcome.REFUSED,
            MailSettled.Failure.REPLY,
            new MailSettled.Reply(550, "5.1.1"),
            3,
            REQUESTED_AT,
            REQUESTED_AT.plusSeconds(60));

    static final MailDeferred DEFERRED = new MailDeferred(
            ADDRESS_ID,
            REQUESTED_AT.plusSeconds(1500),
            MailSettled.Failure.REPLY,
            new MailSettled.Reply(450, "4.2.0"),
            2,
            REQUESTED_AT.plusSeconds(15));

    @Test
    void anAbsentBodyIsNotAnEmptyOne() throws EventFormatException {
        MailRequested empty = request("a@example.org", "", Octets.of(new byte[0]), List.of());

        MailRequested decoded = (MailRequested) EventCodec.decodeDueMail(EventCodec.encode(empty));

        assertThat(decoded).isEqualTo(empty);
        assertThat(decoded.mail().textBody()).isNotNull();
        assertThat(decoded.mail().htmlBody()).isNull();
    }

    @Test
    void theOctetsOfAnAttachmentAreNeverEncoded() {
        byte[] marker = "neither base64 nor escaped".getBytes(StandardCharsets.US_ASCII);

        byte[] value = EventCodec.encode(request("a@example.org", "", null, List.of(file(Octets.of(marker)))));

        assertThat(Arrays.copyOfRange(value, value.length - marker.length, value.length))
                .isEqualTo(marker);
    }

    @Test
    void leaseIsReadFromRecordHeadersAndInvalidOnesAreIgnored() {
        Headers headers = new RecordHeaders();
        SendLease lease = new SendLease(REQUESTED_AT, 3);
        lease.put(headers);

        assertThat(SendLease.of(headers)).contains(lease);
        assertThat(SendLease.of(new RecordHeaders())).isEmpty();
        assertThat(SendLease.of(new RecordHeaders().add("oneshot-leased-until", new byte[] {'x'})))
                .isEmpty();
        assertThat(SendLease.of(headers.add("oneshot-attempts", "-1".getBytes(StandardCharsets.US_ASCII))))
                .isEmpty();
    }

    @Test
    void everyCutOffOrOverlongRequestIsRefused() {
        byte[] whole = EventCodec.encode(REQUESTED);

        for (int length = 0; length <= whole.length + 1; length++) {
            byte[] other = Arrays.copyOf(whole, length);
            if (length != whole.length) {
                assertThatThrownBy(() -> EventCodec.decodeDueMail(other))
                        .as("%d of %d octets", length, whole.length)
                        .isInstanceOf(EventFormatException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\rb", "a\nb", "a\tb", "a\0b", "a\u007fb", "a\u0085b", "a\u2028b", "a\ud800b"})
    void nothingThatCouldEndAHeaderFieldIsCarried(String text) {
        assertThatThrownBy(() -> request(text, "", null, List.of())).hasMessageContaining("to must not have control");
        assertThatThrownBy(() -> request("a@b", text, null, List.of()))
                .hasMessageContaining("subject must not have control");
        assertThatThrownBy(() -> new MailRequested.Attachment(text, "a/b", Octets.of(new byte[0])))
                .hasMessageContaining("filename must not have control");
        assertThatThrownBy(() -> new MailRequested.Attachment("a", text, Octets.of(new byte[0])))
                .hasMessageContaining("contentType must not have control");
    }

    @Test
    void everyBoundHolds() {
        request("a".repeat(254), "📬".repeat(998), null, Collections.nCopies(1000, file(Octets.of(new byte[1]))));

        assertThatThrownBy(() -> request("a".repeat(255), "", null, List.of())).hasMessageContaining("254");
        assertThatThrownBy(() -> request("", "", null, List.of())).hasMessageContaining("to must have");
        assertThatThrownBy(() -> request("a@b", "b".repeat(999), null, List.of()))
                .hasMessageContaining("998");
        assertThatThrownBy(() -> request("a@b", "", null, Collections.nCopies(1001, file(Octets.of(new byte[1])))))
                .hasMessageContaining("1000");
        assertThatThrownBy(() -> new MailSettled.Reply(600, null)).hasMessageContaining("600");
        assertThatThrownBy(() -> new MailSettled.Reply(550, "5.1.1 is unknown")).hasMessageContaining("unknown");
    }

    private static MailRequested request(
            String to, String subject, @Nullable Octets text, List<MailRequested.Attachment> attachments) {
        return new MailRequested(
                ADDRESS_ID,
                "a@b",
                new MailRequested.Mail(to, subject, text, null, attachments),
                REQUESTED_AT,
                REQUESTED_AT.plusSeconds(60));
    }

    private static MailRequested.Attachment file(Octets content) {
        return new MailRequested.Attachment("a.bin", "application/octet-stream", content);
    }

    private static Octets utf8(String text) {
        return Octets.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
