package dev.oneshot.contracts.event;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A mail to send is tried again later. Ends the lease that it names, and no later one.
 *
 * @param addressId the id of the address in lower case; also the record's key
 * @param leasedUntil the lease that ends: {@link SendLease#until()}
 * @param failure why the attempt failed; null if none was made
 * @param reply the relay's last reply, if it replied to a command
 * @param attempts how many attempts were made in all, at least 0
 * @param dueAt when the next attempt is due
 */
public record MailDeferred(
        String addressId,
        Instant leasedUntil,
        @Nullable Failure failure,
        @Nullable Reply reply,
        int attempts,
        Instant dueAt)
        implements SendResult {

    public MailDeferred {
        Objects.requireNonNull(addressId, "addressId");
        Objects.requireNonNull(leasedUntil, "leasedUntil");
        Objects.requireNonNull(dueAt, "dueAt");
        if (attempts < 0) {
            throw new IllegalArgumentException("attempts must not be negative: " + attempts);
        }
    }
}
