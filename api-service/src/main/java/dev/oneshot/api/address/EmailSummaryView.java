package dev.oneshot.api.address;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The member {@code email} of an address. */
@RegisterForReflection
@Schema(name = "EmailSummary", description = "What a list shows of an e-mail.")
record EmailSummaryView(
        @Schema(
                required = true,
                description = "The address of the first mailbox in the field From.",
                examples = "news@example.org")
        String from,

        @Schema(
                required = true,
                description = "Its first 1,000 characters; the e-mail has all of it.",
                examples = "Please confirm your address")
        String subject,

        @Schema(
                required = true,
                format = "date-time",
                description = "When the e-mail was received, in UTC.",
                examples = "2026-01-31T12:00:05Z")
        String receivedAt,

        @Schema(required = true, description = "The size of the raw e-mail in bytes.", examples = "18231")
        int sizeBytes,

        @Schema(required = true, description = "Whether there are attachments.", examples = "true")
        boolean hasAttachments,

        @Schema(required = true, description = "The number of attachments.", examples = "1")
        int attachmentCount) {

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
