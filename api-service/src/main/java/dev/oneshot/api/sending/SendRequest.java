package dev.oneshot.api.sending;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The member {@code send} of POST /addresses, with JSON's types and unchecked values. */
@RegisterForReflection
public record SendRequest(
        @Nullable String to,
        @Nullable String subject,
        @Nullable String textBody,
        @Nullable String htmlBody,
        @Nullable List<@Nullable Attachment> attachments) {

    /** A file to send, with JSON's types and unchecked values. */
    @RegisterForReflection
    public record Attachment(
            @Nullable String filename,
            @Nullable String contentType,
            @Nullable Base64Octets contentBase64) {}
}
