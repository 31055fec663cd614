package dev.oneshot.api.sending;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The member {@code send} of POST /addresses, with JSON's types but unchecked values. */
@RegisterForReflection
@Schema(name = "Send")
public record SendRequest(
        @Schema(required = true, description = "Where the e-mail goes.", examples = "someone@example.org") @Nullable
        String to,

        @Schema(required = true, maxLength = 998, examples = "Hello") @Nullable
        String subject,

        @Schema(nullable = true, examples = "Hello, world") @Nullable
        String textBody,

        @Schema(nullable = true, examples = "<p>Hello, world</p>") @Nullable
        String htmlBody,

        @Schema(
                description =
                        "In all, the body must have at most 48 MiB as it is sent: what JSON escapes counts as escaped.",
                maxItems = SendingConfig.ATTACHMENTS_MAX_DEFAULT,
                nullable = true)
        @Nullable
        List<@Nullable SendAttachment> attachments) {}
