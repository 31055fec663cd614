package dev.oneshot.contracts.event;

import dev.oneshot.message.MessageStructure;
import java.time.Instant;
import java.util.Objects;

/**
 * One mail, accepted for one address. It is on Kafka before the client receives 250.
 *
 * @param addressId the id of the address in lower case; also the record's key
 * @param reversePath the argument of MAIL without brackets; empty for the null reverse-path (RFC 5321 §4.5.5)
 * @param receivedAt when ingest received the end of the data
 * @param structure the structure of {@code raw}; its offsets count from the first byte of {@code raw}
 * @param raw the message as received, after dot-unstuffing, behind the trace fields of ingest (RFC 5321 §4.4)
 */
public record MailInbound(
        String addressId, String reversePath, Instant receivedAt, MessageStructure structure, Octets raw)
        implements InboundEvent {

    public MailInbound {
        Objects.requireNonNull(addressId, "addressId");
        Objects.requireNonNull(reversePath, "reversePath");
        Objects.requireNonNull(receivedAt, "receivedAt");
        Objects.requireNonNull(structure, "structure");
        Objects.requireNonNull(raw, "raw");
    }

    @Override
    public String key() {
        return addressId;
    }
}
