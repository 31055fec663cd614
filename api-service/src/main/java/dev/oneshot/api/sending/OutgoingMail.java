package dev.oneshot.api.sending;

import dev.oneshot.api.account.Plan;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A valid mail to send; a plan may allow less. */
public record OutgoingMail(
        String to,
        String subject,
        @Nullable Octets textBody,
        @Nullable Octets htmlBody,
        List<MailRequested.Attachment> attachments) {

    /**
     * Checks the sizes against a plan: the content, bodies in UTF-8 and attachments decoded.
     *
     * @throws ApiException 422 if it is more
     */
    public void requireWithin(Plan plan) {
        long bytes = length(textBody) + length(htmlBody);
        for (int i = 0; i < attachments.size(); i++) {
            int attachmentBytes = attachments.get(i).content().length();
            bytes += attachmentBytes;
            if (attachmentBytes > plan.sizeClass().attachmentBytesMax()) {
                throw ApiException.unprocessable("send.attachments[" + i + "] must have at most "
                        + plan.sizeClass().attachmentBytesMax() + " bytes on the plan " + plan.name());
            }
        }
        if (bytes > plan.sizeClass().messageBytesMax()) {
            throw ApiException.unprocessable("send must have at most "
                    + plan.sizeClass().messageBytesMax() + " bytes of content on the plan " + plan.name());
        }
    }

    private static long length(@Nullable Octets octets) {
        return octets == null ? 0 : octets.length();
    }

    /** The event that asks a mailer to send this mail. */
    public MailRequested from(String addressId, String address, Instant requestedAt, Instant expiresAt) {
        return new MailRequested(
                addressId, address, to, subject, textBody, htmlBody, attachments, requestedAt, expiresAt);
    }
}
