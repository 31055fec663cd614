package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import java.io.IOException;
import java.io.OutputStream;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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

    /** @throws IllegalArgumentException if the recipient is no mailbox, or its domain has no A-labels */
    public static ComposedMail compose(MailRequested request) {
        String forwardPath = withALabels(request.to());
        Part whole = whole(request);
        List<String> fields = new ArrayList<>();
        fields.add("Date: "
                + DATE.format(
                        request.requestedAt().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC)));
        fields.add("From: " + request.from());
        fields.add("To: " + forwardPath);
        fields.add(UnstructuredField.of("Subject", request.subject()));
        fields.add("Message-ID: <" + request.from() + ">");
        fields.add("Auto-Submitted: auto-generated");
        fields.add("MIME-Version: 1.0");
        fields.addAll(whole.fields());
        return new ComposedMail(request.from(), forwardPath, whole.eightBit(), List.copyOf(fields), whole.body());
    }

    /** Text and HTML, if present. The richer form comes last (RFC 2046 §5.1.4). */
    private static List<TextPart> texts(MailRequested request) {
        List<TextPart> texts = new ArrayList<>();
        if (request.textBody() != null) {
            texts.add(TextPart.of("plain", request.textBody()));
        }
        if (request.htmlBody() != null) {
            texts.add(TextPart.of("html", request.htmlBody()));
        }
        return texts;
    }

    private static Part whole(MailRequested request) {
        List<TextPart> texts = texts(request);
        if (request.attachments().isEmpty() && texts.size() < 2) {
            TextPart only = texts.isEmpty() ? TextPart.of("plain", Octets.of(new byte[0])) : texts.getFirst();
            return only.whole();
        }
        List<Part> alternatives = texts.stream().map(TextPart::part).toList();
        @Nullable
        Part main = alternatives.size() == 2 ? multipart("alternative", "a", request.addressId(), alternatives) : null;
        if (request.attachments().isEmpty() && main != null) {
            return main;
        }
        List<Part> parts = new ArrayList<>(main == null ? alternatives : List.of(main));
        for (MailRequested.Attachment attachment : request.attachments()) {
            parts.add(MessagePart.of(attachment).orElseGet(() -> FilePart.of(attachment)));
        }
        return multipart("mixed", "m", request.addressId(), parts);
    }

    private static Part multipart(String subtype, String prefix, String addressId, List<Part> parts) {
        // Base64 and quoted-printable never have "=_", and text that has it is never sent literally. An attached
        // message may have it, but is older than the address id.
        String boundary = "=_" + prefix + "_" + addressId;
        boolean eightBit = parts.stream().anyMatch(Part::eightBit);
        List<String> fields = List.of(
                "Content-Type: multipart/" + subtype + ";\r\n boundary=\"" + boundary + "\"",
                "Content-Transfer-Encoding: " + (eightBit ? "8bit" : "7bit"));
        return new Part(fields, eightBit, to -> {
            for (Part part : parts) {
                writeAscii("--" + boundary + "\r\n" + String.join("\r\n", part.fields()) + "\r\n\r\n", to);
                part.body().writeTo(to);
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
        try {
            return mailbox.substring(0, at + 1) + IDN.toASCII(domain);
        } catch (RuntimeException e) {
            // Not only IllegalArgumentException: after nameprep, a label may be too long for punycode.
            throw new IllegalArgumentException("the recipient's domain has no A-labels", e);
        }
    }
}
