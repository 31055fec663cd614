package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class DeliveryStatusTest {

    private static final String REPORT = "multipart/report; report-type=delivery-status; boundary=b";
    private static final String ABOUT_THE_MAIL = "Reporting-MTA: dns; mx.example\n\n";
    private static final String FAILED = "Final-Recipient: rfc822;a@b.example\nAction: failed\n";
    private static final int OCTETS_MAX = 64 * 1024;
    private static final Pattern RECIPIENT = Pattern.compile("(\\S+)=>(\\S+)");

    /** Failed recipients, by RFC 3464 §6.1. Without a content type the message is a report. */
    @ParameterizedTest
    @CsvFileSource(resources = "delivery-status.txt", delimiter = '|', quoteCharacter = '\'', nullValues = "none")
    void statusIsReadFromAReport(@Nullable String failed, @Nullable String contentType, String fields) {
        Optional<DeliveryStatus> expected = Optional.ofNullable(failed).map(DeliveryStatusTest::failed);

        assertThat(status(contentType == null ? REPORT : contentType, ABOUT_THE_MAIL + fields.translateEscapes()))
                .isEqualTo(expected);
    }

    /** {@code not failed}, or addresses and their status. */
    private static DeliveryStatus failed(String text) {
        Map<String, String> failed = new HashMap<>();
        Matcher recipient = RECIPIENT.matcher(text);
        while (recipient.find()) {
            failed.put(recipient.group(1), recipient.group(2));
        }
        return new DeliveryStatus(failed);
    }

    /** Mailing lists put the report into another multipart, and a footer after it. */
    @Test
    void statusIsReadFromAReportInsideOfAnotherMultipart() {
        assertThat(nested("multipart/report; boundary=b")).contains(failed("a@b.example=>5.0.0"));
    }

    /** A forwarded notification is not about the address that gets it. */
    @Test
    void statusOfANotificationThatIsForwardedIsNone() {
        assertThat(nested("message/rfc822\n\nContent-Type: multipart/report; boundary=b"))
                .isEmpty();
        assertThat(nested("text/plain")).isEmpty();
    }

    /** A mail whose first part has this content type and contains a notification. */
    private static Optional<DeliveryStatus> nested(String contentType) {
        String notification = new String(message(REPORT, FAILED), StandardCharsets.UTF_8);
        String parts = notification.substring(notification.indexOf("\r\n\r\n"));
        byte[] message = ("Content-Type: multipart/mixed; boundary=outer\n\n--outer\nContent-Type: " + contentType
                        + parts + "\n--b--\n--outer\n\nfooter\n--outer--\n")
                .replaceAll("\r?\n", "\r\n")
                .getBytes(StandardCharsets.UTF_8);
        return DeliveryStatus.of(MessageReader.read(message, 0, message.length, MessageLimits.DEFAULTS), message, 0);
    }

    @Test
    void reportWithoutFieldsIsNone() {
        assertThat(status(REPORT, "")).isEmpty();
    }

    @Test
    void statusIsReadUpToItsBound() {
        String failed = FAILED + "Status: 5.1.1\n";
        // Seven lines end in CRLF here.
        int others = ("X: \n\n" + ABOUT_THE_MAIL + failed).length() + 7;
        String padding = "X: " + "x".repeat(OCTETS_MAX - others) + "\n\n";

        assertThat(status(REPORT, padding + ABOUT_THE_MAIL + failed)).contains(failed("a@b.example=>5.1.1"));
        assertThat(status(REPORT, padding + ABOUT_THE_MAIL + "X: one line that is as long as the rest\n\n" + failed))
                .isEmpty();
    }

    @Test
    void recipientsAreReadUpToTheirBound() {
        String delayed = "Final-Recipient: rfc822;c@d.example\nAction: delayed\n\n";

        assertThat(status(REPORT, delayed.repeat(99) + FAILED).map(DeliveryStatus::failed))
                .contains(Map.of("a@b.example", "5.0.0"));
        assertThat(status(REPORT, delayed.repeat(100) + FAILED).map(DeliveryStatus::failed))
                .contains(Map.of());
    }

    @Test
    void messageMayBeginAnywhereInItsArray() {
        byte[] message = message(REPORT, ABOUT_THE_MAIL + FAILED + "Status: 5.1.1\n");
        byte[] octets = new byte[message.length + 7];
        System.arraycopy(message, 0, octets, 7, message.length);

        assertThat(DeliveryStatus.of(MessageReader.read(octets, 7, message.length, MessageLimits.DEFAULTS), octets, 7))
                .contains(failed("a@b.example=>5.1.1"));
    }

    @Property
    void anyPartIsReadWithoutException(@ForAll byte[] part) {
        byte[] message = message(REPORT, "");
        byte[] octets = Arrays.copyOf(message, message.length + part.length);
        System.arraycopy(part, 0, octets, message.length, part.length);

        var _ = DeliveryStatus.of(MessageReader.read(octets, 0, octets.length, MessageLimits.DEFAULTS), octets, 0);
    }

    private static Optional<DeliveryStatus> status(String contentType, String fields) {
        byte[] message = message(contentType, fields);
        return DeliveryStatus.of(MessageReader.read(message, 0, message.length, MessageLimits.DEFAULTS), message, 0);
    }

    private static byte[] message(String contentType, String fields) {
        return ("From: MAILER-DAEMON@mx.example\nContent-Type: " + contentType
                        + "\n\n--b\n\nIt did not work.\n--b\nContent-Type: message/delivery-status\n\n" + fields)
                .replace("\n", "\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}
