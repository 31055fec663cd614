package dev.oneshot.api.sending;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The member {@code send} of POST /addresses, with JSON's types but unchecked values. */
@RegisterForReflection
@Schema(name = "Send", description = "An e-mail to send.")
public record SendRequest(
        @Schema(required = true, description = "The recipient, one e-mail address.", examples = "someone@example.org")
        @Nullable
        String to,

        @Schema(required = true, description = "The subject; it may be empty.", maxLength = 998, examples = "Hello")
        @Nullable
        String subject,

        @Schema(nullable = true, description = "The body as plain text.", examples = "Hello, world") @Nullable
        String textBody,

        @Schema(nullable = true, description = "The body as HTML.", examples = "<p>Hello, world</p>") @Nullable
        String htmlBody,

        @Schema(
                description = "Files to attach. The whole request may have at most 48 MiB of JSON.",
                maxItems = SendingConfig.ATTACHMENTS_MAX_DEFAULT,
                nullable = true)
        @Nullable
        List<@Nullable SendAttachment> attachments) {}
