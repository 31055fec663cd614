package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryStatusTest {

    private static final String REPORT = "multipart/report; report-type=delivery-status; boundary=b";
    private static final String ABOUT_THE_MAIL = "Reporting-MTA: dns; mx.example\n\n";
    private static final String FAILED = "Final-Recipient: rfc822;a@b.example\nAction: failed\n";
    private static final int OCTETS_MAX = 64 * 1024;

    /** RFC 3464 §6.1, with folding and a comment. */
    @Test
    void failedRecipientIsFoundWithItsStatus() {
        assertThat(status(
                        REPORT,
                        ABOUT_THE_MAIL
                                + "Final-Recipient: rfc822;louisl@larry.slip.umd.edu\nAction:\n failed\n"
                                + "Status: 4.0.0 (persistent transient failure)\n"
                                + "Diagnostic-Code: smtp; 426 connection timed out\n"))
                .contains(new DeliveryStatus(true, "4.0.0"));
    }

    @Test
    void oneOfSeveralRecipientsHasFailed() {
        assertThat(status(
                        REPORT,
                        ABOUT_THE_MAIL
                                + "Final-Recipient: rfc822;a@b.example\nAction: delivered\nStatus: 2.0.0\n\n\n"
                                + "Final-Recipient: rfc822;c@d.example\nAction: Failed\nStatus: 5.1.1\n"))
                .contains(new DeliveryStatus(true, "5.1.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayed", "delivered", "relayed", "expanded", "whatever"})
    void otherActionsAreNoFailure(String action) {
        assertThat(status(
                        REPORT,
                        ABOUT_THE_MAIL + "Final-Recipient: rfc822;a@b.example\nAction: " + action
                                + "\nStatus: 4.4.1\n"))
                .contains(new DeliveryStatus(false, DeliveryStatus.NO_STATUS));
    }

    @ParameterizedTest
    @CsvSource({
        "Status: 5.999.999, 5.999.999",
        "Status: 5.1000.1, 5.0.0",
        "Status: 6.1.1, 5.0.0",
        "Status: 2.0.0, 5.0.0",
        "Status: 5.1, 5.0.0",
        "Status:, 5.0.0",
        "X: y, 5.0.0"
    })
    void statusThatIsNoneIsThatOfAFailureWithoutDetails(String field, String expected) {
        assertThat(status(REPORT, ABOUT_THE_MAIL + FAILED + field + "\n")).contains(new DeliveryStatus(true, expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/mixed; boundary=b",
                "multipart/report; boundary=b",
                "multipart/report; report-type=disposition-notification; boundary=b",
                "text/plain",
                "multipart/report; report-type=delivery-status; boundary=other",
                "multipart/report; report-type=delivery-status; boundary=B",
                "multipart/report; report-type=delivery-status; boundary=bb",
                "multipart/report; report-type=delivery-status; boundary=\"\"",
                "multipart/report; report-type=delivery-status; charset=b"
            })
    void otherMessageOrOneWithoutItsBoundaryIsNone(String contentType) {
        assertThat(status(contentType, ABOUT_THE_MAIL + FAILED + "Status: 5.1.1\n"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Multipart/Report; Report-Type=\"Delivery-Status\"; boundary=b",
                "multipart/report; boundary=b; report-type=delivery-status (RFC 3464)"
            })
    void contentTypeIsReadAsMailProgramsWriteIt(String contentType) {
        assertThat(status(contentType, ABOUT_THE_MAIL + FAILED + "Status: 5.1.1\n"))
                .contains(new DeliveryStatus(true, "5.1.1"));
    }

    @Test
    void reportWithoutAnActionIsNone() {
        assertThat(status(REPORT, ABOUT_THE_MAIL)).isEmpty();
        assertThat(status(REPORT, "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Action: failed\n",
                "Final-Recipient:\nAction: failed\n",
                "Final-Recipient: rfc822;a@b.example\n",
                "Final-Recipient: rfc822;a@b.example\nAction:\n",
                "Original-Recipient: rfc822;a@b.example\nAction: failed\n",
                "Final-Recipient: rfc822;a@b.example\n\nAction: failed\n"
            })
    void groupWithoutARecipientOrAnActionIsIgnored(String group) {
        assertThat(status(REPORT, ABOUT_THE_MAIL + group + "Status: 5.1.1\n")).isEmpty();
        assertThat(status(REPORT, ABOUT_THE_MAIL + group + "Status: 5.1.1\n\n" + FAILED + "Status: 5.2.2\n"))
                .contains(new DeliveryStatus(true, "5.2.2"));
    }

    @Test
    void statusIsReadUpToItsBound() {
        String failed = FAILED + "Status: 5.1.1\n";
        // Seven lines end in CRLF here.
        int others = ("X: \n\n" + ABOUT_THE_MAIL + failed).length() + 7;
        String padding = "X: " + "x".repeat(OCTETS_MAX - others) + "\n\n";

        assertThat(status(REPORT, padding + ABOUT_THE_MAIL + failed)).contains(new DeliveryStatus(true, "5.1.1"));
        assertThat(status(REPORT, padding + ABOUT_THE_MAIL + "X: one line that is as long as the rest\n\n" + failed))
                .isEmpty();
    }

    @Test
    void recipientsAreReadUpToTheirBound() {
        String delayed = "Final-Recipient: rfc822;c@d.example\nAction: delayed\n\n";

        assertThat(status(REPORT, delayed.repeat(99) + FAILED).map(DeliveryStatus::failed))
                .contains(true);
        assertThat(status(REPORT, delayed.repeat(100) + FAILED).map(DeliveryStatus::failed))
                .contains(false);
    }

    @Test
    void messageMayBeginAnywhereInItsArray() {
        byte[] message = message(REPORT, ABOUT_THE_MAIL + FAILED + "Status: 5.1.1\n");
        byte[] octets = new byte[message.length + 7];
        System.arraycopy(message, 0, octets, 7, message.length);

        assertThat(DeliveryStatus.of(MessageReader.read(octets, 7, message.length, MessageLimits.DEFAULTS), octets, 7))
                .contains(new DeliveryStatus(true, "5.1.1"));
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
                .getBytes(StandardCharsets.US_ASCII);
    }
}
