package dev.oneshot.api.sending;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A file to send, with JSON's types but unchecked values. */
@RegisterForReflection
@Schema(name = "SendAttachment", description = "A file to send.")
public record SendAttachment(
        @Schema(
                required = true,
                description = "The name of the file.",
                minLength = 1,
                maxLength = 255,
                examples = "report.pdf")
        @Nullable
        String filename,

        @Schema(required = true, description = "A MIME type.", maxLength = 255, examples = "application/pdf") @Nullable
        String contentType,

        @Schema(
                required = true,
                description = "The content in base64 (RFC 4648 §4).",
                implementation = String.class,
                format = "byte",
                examples = "aGVsbG8=")
        @Nullable
        Base64Octets contentBase64) {}
