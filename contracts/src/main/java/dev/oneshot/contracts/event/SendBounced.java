package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * A delivery status notification (RFC 3464) said that a mail of a send-mode address failed. It counts only if it names the
 * recipient of that mail.
 *
 * @param addressId the id of the address in lower case; also the record's key
 * @param failed by address of a recipient, as the notification has it, the enhanced status code (RFC 3463), such as
 *     {@code 5.1.1}
 * @param bouncedAt when ingest received the end of the notification
 */
public record SendBounced(String addressId, Map<String, String> failed, Instant bouncedAt) implements InboundEvent {

    private static final int STATUS_CHARACTERS_MAX = 9;

    public SendBounced {
        Objects.requireNonNull(addressId, "addressId");
        failed = Map.copyOf(failed);
        failed.values().forEach(status -> FieldText.require("status", status, 1, STATUS_CHARACTERS_MAX));
        Objects.requireNonNull(bouncedAt, "bouncedAt");
    }

    @Override
    public String key() {
        return addressId;
    }
}
