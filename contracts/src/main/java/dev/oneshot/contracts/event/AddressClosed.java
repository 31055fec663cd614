package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.Objects;

/**
 * An address takes no further mail, so ingest can reject mail early. If the event is lost, mail is dropped later: only the database
 * decides which mail an address gets.
 *
 * @param addressId the id in lower case; also the record's key
 * @param reason why
 * @param until when the address expires; the event has no meaning after that
 */
public record AddressClosed(String addressId, Reason reason, Instant until) implements Event {

    public AddressClosed {
        Objects.requireNonNull(addressId, "addressId");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(until, "until");
    }

    /** Why an address is closed. */
    public enum Reason {
        /** It has received its mail. */
        RECEIVED,
        /** Its owner deleted it. */
        DELETED
    }
}
