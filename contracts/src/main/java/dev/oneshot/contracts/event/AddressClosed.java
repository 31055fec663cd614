package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.Objects;

/**
 * An address takes no further mail, though it has not expired. Makes a refusal early and polite; losing one of these
 * only makes the refusal later, as the database alone decides which mail an address gets.
 *
 * @param addressId the id in lower case; also the record's key
 * @param reason why
 * @param until when the address expires, after which the event means nothing
 */
public record AddressClosed(String addressId, Reason reason, Instant until) {

    public AddressClosed {
        Objects.requireNonNull(addressId, "addressId");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(until, "until");
    }

    /** Why an address is closed. */
    public enum Reason {
        /** It has its mail. */
        RECEIVED,
        /** Its owner deleted it. */
        DELETED
    }
}
