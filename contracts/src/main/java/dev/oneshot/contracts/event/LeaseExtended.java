package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.Objects;

/**
 * A mailer still attempts a mail and keeps its lease.
 *
 * @param addressId the id of the address in lower case; also the record's key
 * @param leasedUntil the lease to extend: {@link SendLease#until()}, or the end of its last extension
 * @param until when the lease ends now; no other mailer sends the mail before
 */
public record LeaseExtended(String addressId, Instant leasedUntil, Instant until) implements SendResult {

    public LeaseExtended {
        Objects.requireNonNull(addressId, "addressId");
        Objects.requireNonNull(leasedUntil, "leasedUntil");
        Objects.requireNonNull(until, "until");
    }
}
