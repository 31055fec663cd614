package dev.oneshot.api.inbox;

import dev.oneshot.message.Attachment;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An attachment in the parsed e-mail. */
@RegisterForReflection
@Schema(name = "Attachment", description = "An attachment, without its content.")
record AttachmentView(
        @Schema(required = true, description = "The name, without a path.", examples = "invoice.pdf")
        String filename,

        @Schema(required = true, description = "The media type.", examples = "application/pdf")
        String contentType,

        @Schema(required = true, description = "The size of the decoded content in bytes.", examples = "10240")
        int sizeBytes,

        @Schema(
                required = true,
                description = "Where to download it, relative to the URL of the server.",
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
