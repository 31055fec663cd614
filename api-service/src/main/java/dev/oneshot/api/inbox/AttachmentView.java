package dev.oneshot.api.inbox;

import dev.oneshot.message.Attachment;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An attachment in the parsed e-mail. */
@RegisterForReflection
@Schema(name = "Attachment")
record AttachmentView(
        @Schema(required = true, examples = "invoice.pdf") String filename,

        @Schema(required = true, examples = "application/pdf")
        String contentType,

        @Schema(required = true, description = "The decoded length.", examples = "10240")
        int sizeBytes,

        @Schema(
                required = true,
                description = "Relative to the base address.",
                examples = "/addresses/cgoeakwtnnh2sbp5uyxq7dzl/email/attachments/0")
        String downloadUrl) {

    static AttachmentView of(Attachment attachment, String id, int index) {
        return new AttachmentView(
                StorableText.of(attachment.filename()),
                attachment.contentType(),
                attachment.sizeBytes(),
                "/addresses/" + id + "/email/attachments/" + index);
    }
}
