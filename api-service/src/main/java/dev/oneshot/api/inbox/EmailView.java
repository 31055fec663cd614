package dev.oneshot.api.inbox;

import dev.oneshot.api.address.AddressDomains;
import dev.oneshot.api.address.Mode;
import dev.oneshot.api.address.Timestamps;
import dev.oneshot.message.Attachment;
import dev.oneshot.message.HeaderField;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The parsed e-mail. */
@RegisterForReflection
@Schema(name = "Email", description = "A received e-mail.")
record EmailView(
        @Schema(
                required = true,
                description = "The address of the first mailbox in the field From.",
                examples = "news@example.org")
        String from,

        @Schema(
                required = true,
                description = "The one-shot address. The field To may have another.",
                examples = "cgoeakwtnnh2sbp5uyxq7dzl@in.oneshot.localhost")
        String to,

        @Schema(required = true, description = "Empty if there is none.", examples = "Please confirm your address")
        String subject,

        @Schema(
                required = true,
                description = "The body as plain text; empty if there is none.",
                examples = "Your code is 4711.")
        String textBody,

        @Schema(
                required = true,
                description = "The body as HTML; empty if there is none.",
                examples = "<p>Your code is 4711.</p>")
        String htmlBody,

        @Schema(
                required = true,
                description =
                        "The header fields by name, unfolded and decoded. Repeated fields are joined with line feeds.")
        Map<String, String> headers,

        @Schema(
                required = true,
                format = "date-time",
                description = "When the e-mail was received, in UTC.",
                examples = "2026-01-31T12:00:05Z")
        String receivedAt,

        @Schema(required = true, description = "The size of the raw e-mail in bytes.", examples = "18231")
        int sizeBytes,

        @Schema(required = true, description = "In the order of the e-mail. The position is the index of the download.")
        List<AttachmentView> attachments) {

    static EmailView of(MailStore.Bodies email, AddressDomains domains) {
        StoredMail mail = email.mail();
        String id = mail.address().id();
        return new EmailView(
                mail.summary().from(),
                domains.addressOf(Mode.RECEIVE, id),
                StorableText.of(mail.structure().subject()),
                StorableText.of(email.text()),
                StorableText.of(email.html()),
                headers(mail.structure().headers()),
                Timestamps.text(mail.summary().receivedAt()),
                mail.summary().sizeBytes(),
                attachments(mail.structure().attachments(), id));
    }

    private static List<AttachmentView> attachments(List<Attachment> attachments, String id) {
        List<AttachmentView> views = new ArrayList<>();
        for (int index = 0; index < attachments.size(); index++) {
            views.add(AttachmentView.of(attachments.get(index), id, index));
        }
        return views;
    }

    /** Names are the same whatever their case (RFC 5322 §1.2.2). */
    private static Map<String, String> headers(List<HeaderField> fields) {
        Map<String, String> names = new LinkedHashMap<>();
        Map<String, StringBuilder> values = new LinkedHashMap<>();
        for (HeaderField field : fields) {
            String key = field.name().toLowerCase(Locale.ROOT);
            names.putIfAbsent(key, field.name());
            StringBuilder value = values.get(key);
            if (value == null) {
                values.put(key, new StringBuilder(field.value()));
            } else {
                value.append('\n').append(field.value());
            }
        }
        Map<String, String> headers = new LinkedHashMap<>();
        values.forEach((key, value) ->
                headers.put(StorableText.of(names.getOrDefault(key, key)), StorableText.of(value.toString())));
        return headers;
    }
}
