package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.message.ALabels;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Composes messages. Message-ID, Date and boundaries come from the request alone, so the result is the same each
 * time.
 *
 * <p>Safe for use by many threads.
 */
public final class MimeComposer {

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ENGLISH);

    private MimeComposer() {}

    /**
     * Composes the message of a request.
     *
     * @param sign adds a signature on top of a message, or returns it unchanged
     * @throws IllegalArgumentException if the recipient is no mailbox, or its domain has no A-labels
     */
    public static SmtpMail compose(MailRequested request, UnaryOperator<MimeEntity> sign) {
        return compose(request, sign, true);
    }

    private static SmtpMail compose(MailRequested request, UnaryOperator<MimeEntity> sign, boolean mayHaveEightBits) {
        String forwardPath = withALabels(request.mail().to());
        MimeEntity content = content(request.addressId(), request.mail(), mayHaveEightBits);
        OffsetDateTime date =
                request.requestedAt().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC);
        List<String> fields = new ArrayList<>(List.of(
                "Date: " + DATE.format(date),
                "From: " + request.from(),
                "To: " + forwardPath,
                UnstructuredField.of("Subject", request.mail().subject()),
                "Message-ID: <" + request.from() + ">",
                "Auto-Submitted: auto-generated",
                "MIME-Version: 1.0"));
        fields.addAll(content.fields());
        MimeEntity message = sign.apply(new MimeEntity(fields, content.eightBit(), content.body()));
        return new SmtpMail(
                request.from(),
                forwardPath,
                message.eightBit(),
                message::writeTo,
                () -> Optional.of(compose(request, sign, false)));
    }

    private static MimeEntity content(String addressId, MailRequested.Mail mail, boolean mayHaveEightBits) {
        List<MimeEntity> parts = new ArrayList<>();
        if (mail.textBody() != null) {
            parts.add(TextPart.of("plain", mail.textBody()));
        }
        if (mail.htmlBody() != null) {
            parts.add(TextPart.of("html", mail.htmlBody()));
        }
        if (parts.size() == 2) {
            // The richer form comes last (RFC 2046 §5.1.4).
            MimeEntity alternatives = multipart("alternative", "a", addressId, parts);
            parts = new ArrayList<>(List.of(alternatives));
        }
        if (mail.attachments().isEmpty()) {
            return parts.isEmpty() ? TextPart.of("plain", Octets.of(new byte[0])) : parts.getFirst();
        }
        for (MailRequested.Attachment attachment : mail.attachments()) {
            parts.add(AttachmentPart.of(attachment, mayHaveEightBits));
        }
        return multipart("mixed", "m", addressId, parts);
    }

    private static MimeEntity multipart(String subtype, String prefix, String addressId, List<MimeEntity> parts) {
        // No part contains it. Base64 and quoted-printable never contain "=_", and text with "=_" is sent encoded. An
        // attached message may contain "=_", but it is older than the address id.
        String boundary = "=_" + prefix + "_" + addressId;
        boolean eightBit = parts.stream().anyMatch(MimeEntity::eightBit);
        List<String> fields = List.of(
                "Content-Type: multipart/" + subtype + ";\r\n boundary=\"" + boundary + "\"",
                "Content-Transfer-Encoding: " + (eightBit ? "8bit" : "7bit"));
        return new MimeEntity(fields, eightBit, to -> {
            for (MimeEntity part : parts) {
                writeAscii("--" + boundary + "\r\n", to);
                part.writeTo(to);
                writeAscii("\r\n", to);
            }
            writeAscii("--" + boundary + "--\r\n", to);
        });
    }

    private static void writeAscii(String text, OutputStream to) throws IOException {
        to.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Converts an internationalised domain to A-labels, which every relay knows (RFC 5890 §2.3.2.1).
     *
     * @throws IllegalArgumentException if this is no mailbox, or its domain has no A-labels
     */
    public static String withALabels(String mailbox) {
        int at = mailbox.lastIndexOf('@');
        String domain = mailbox.substring(at + 1);
        if (at < 1 || domain.isEmpty()) {
            throw new IllegalArgumentException("the recipient is no mailbox");
        }
        if (domain.startsWith("[")) {
            return mailbox;
        }
        return mailbox.substring(0, at + 1) + ALabels.of(domain, 0);
    }
}
