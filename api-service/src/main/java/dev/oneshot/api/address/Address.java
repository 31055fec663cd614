package dev.oneshot.api.address;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An address as its owner sees it at one moment, in responses too.
 *
 * @param id the local part
 * @param address all of it
 * @param status by the database's clock: {@code EXPIRED} from {@code expiresAt} on, swept or not
 * @param createdAt to the microsecond
 * @param expiresAt in whole seconds
 * @param email null before it has one, and once it has expired
 */
public record Address(
        String id,
        String address,
        Mode mode,
        Status status,
        @JsonIgnore Instant createdAt,
        Instant expiresAt,
        @Nullable String label,
        @Nullable EmailSummary email) {

    /**
     * The summary of a received mail.
     *
     * @param subject its first 1,000 characters
     * @param receivedAt in whole seconds
     * @param sizeBytes of the message as it is stored
     */
    public record EmailSummary(
            String from,
            String subject,
            Instant receivedAt,
            int sizeBytes,
            boolean hasAttachments,
            int attachmentCount) {}

    /**
     * The summary of its mail.
     *
     * @throws ApiException 404 before a mail has arrived
     */
    public EmailSummary mail() {
        if (email == null) {
            throw ApiException.of(Kind.NOT_FOUND, "no e-mail has arrived at this address");
        }
        return email;
    }
}
