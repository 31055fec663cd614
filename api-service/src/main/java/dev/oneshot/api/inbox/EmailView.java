package dev.oneshot.api.inbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.oneshot.api.address.Address;
import dev.oneshot.message.Attachment;
import dev.oneshot.message.HeaderField;
import dev.oneshot.message.MessageStructure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parsed e-mail. */
record EmailView(
        String from,
        String to,
        String subject,
        String textBody,
        String htmlBody,
        Map<String, String> headers,
        Instant receivedAt,
        int sizeBytes,
        List<AttachmentView> attachments) {

    /** An attachment, without its content. */
    record AttachmentView(
            String filename,
            String contentType,
            int sizeBytes,
            String downloadUrl,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String contentId,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String contentLocation) {}

    static EmailView of(Address address, MessageStructure structure, String text, String html) {
        Address.EmailSummary summary = address.mail();
        return new EmailView(
                summary.from(),
                address.address(),
                StorableText.of(structure.subject()),
                StorableText.of(text),
                StorableText.of(html),
                headers(structure.headers()),
                summary.receivedAt(),
                summary.sizeBytes(),
                attachments(structure.attachments(), address.id()));
    }

    private static List<AttachmentView> attachments(List<Attachment> attachments, String id) {
        List<AttachmentView> views = new ArrayList<>();
        for (Attachment attachment : attachments) {
            views.add(new AttachmentView(
                    StorableText.of(attachment.filename()),
                    attachment.contentType(),
                    attachment.sizeBytes(),
                    "/addresses/" + id + "/email/attachments/" + views.size(),
                    storable(attachment.contentId()),
                    storable(attachment.contentLocation())));
        }
        return views;
    }

    private static @Nullable String storable(@Nullable String text) {
        return text == null ? null : StorableText.of(text);
    }

    /** Names are the same whatever their case (RFC 5322 §1.2.2). */
    private static Map<String, String> headers(List<HeaderField> fields) {
        Map<String, String> headers = new LinkedHashMap<>();
        fields.stream()
                .collect(Collectors.groupingBy(
                        field -> field.name().toLowerCase(Locale.ROOT), LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(same -> headers.put(
                        StorableText.of(same.getFirst().name()),
                        StorableText.of(same.stream().map(HeaderField::value).collect(Collectors.joining("\n")))));
        return headers;
    }
}
