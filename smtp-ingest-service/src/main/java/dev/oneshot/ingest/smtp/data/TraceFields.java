package dev.oneshot.ingest.smtp.data;

import dev.oneshot.ingest.smtp.Envelope;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.TlsParameters;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** The fields that a server adds in front of a message (RFC 5321 §4.4). */
public final class TraceFields {

    private static final DateTimeFormatter DATE_TIME = DateTimeFormatter.ofPattern(
                    "EEE, d MMM yyyy HH:mm:ss '+0000'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private TraceFields() {}

    /**
     * Return-Path and Received.
     *
     * @param smtpUtf8 whether the client asked for SMTPUTF8, which has its own protocol names (RFC 6531 §4.3)
     */
    public static byte[] of(
            String hostname, Origin origin, boolean smtpUtf8, Envelope envelope, String transactionId, Instant now) {
        TlsParameters tls = origin.tls();
        String secured = tls == null ? "" : " (" + tls.protocol() + ' ' + tls.cipherSuite() + ')';
        List<Recipient> recipients = envelope.recipients();
        // With several, each recipient would see the others (RFC 5321 §7.6).
        String recipient = recipients.size() > 1
                ? ""
                : "\r\n\tfor <" + recipients.getFirst().mailbox() + '>';
        String fields = "Return-Path: <" + envelope.reversePath().text() + ">\r\n"
                + "Received: from " + origin.helloName() + " ("
                + origin.client().addressLiteral() + ")\r\n\t"
                + "by " + hostname + " with " + protocol(origin, smtpUtf8) + secured + "\r\n\t"
                + "id " + transactionId + recipient + ";\r\n\t"
                + DATE_TIME.format(now) + "\r\n";
        return fields.getBytes(StandardCharsets.UTF_8);
    }

    /** RFC 3848 and RFC 6531 §4.3. */
    private static String protocol(Origin origin, boolean smtpUtf8) {
        String name = smtpUtf8 ? "UTF8SMTP" : origin.extended() ? "ESMTP" : "SMTP";
        return origin.tls() != null && origin.extended() ? name + "S" : name;
    }
}
