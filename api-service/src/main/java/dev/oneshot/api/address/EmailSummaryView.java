package dev.oneshot.api.address;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The member {@code email} of an address. */
@RegisterForReflection
@Schema(name = "EmailSummary")
record EmailSummaryView(
        @Schema(required = true, examples = "news@example.org")
        String from,

        @Schema(
                required = true,
                description = "Its first 1,000 characters; the e-mail has all of it.",
                examples = "Please confirm your address")
        String subject,

        @Schema(required = true, format = "date-time", examples = "2026-01-31T12:00:05Z")
        String receivedAt,

        @Schema(required = true, description = "The length of the raw e-mail.", examples = "18231")
        int sizeBytes,

        @Schema(required = true, examples = "true") boolean hasAttachments,

        @Schema(required = true, examples = "1") int attachmentCount) {

    static @Nullable EmailSummaryView of(@Nullable EmailSummary summary) {
        return summary == null
                ? null
                : new EmailSummaryView(
                        summary.from(),
                        summary.subject(),
                        Timestamps.text(summary.receivedAt()),
                        summary.sizeBytes(),
                        summary.attachmentCount() > 0,
                        summary.attachmentCount());
    }
}
