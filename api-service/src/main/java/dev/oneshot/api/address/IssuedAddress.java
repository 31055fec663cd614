package dev.oneshot.api.address;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * What the service says of a new address, and the request did not. This is kept for an {@code Idempotency-Key}, and so has
 * to be readable by later versions; label and destination are the client's, and go with the address.
 *
 * @param expiresAt as the contract writes it
 */
@RegisterForReflection
record IssuedAddress(String id, String address, Mode mode, Status status, String expiresAt) {

    static IssuedAddress of(Address address, AddressDomains domains) {
        return new IssuedAddress(
                address.id(),
                domains.addressOf(address.mode(), address.id()),
                address.mode(),
                address.status(),
                Timestamps.text(address.expiresAt()));
    }
}
