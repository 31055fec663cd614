package dev.oneshot.api.address;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The response to the creation of an address: what was created, and the values of the request. */
record CreatedAddressView(
        String id,
        String address,
        Mode mode,
        Status status,
        Instant expiresAt,
        @Nullable String label,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String sendTo) {

    static CreatedAddressView of(CreatedAddress created, NewAddress request) {
        return new CreatedAddressView(
                created.id(),
                created.address(),
                created.mode(),
                created.status(),
                created.expiresAt(),
                request.label() == null ? null : request.label().text(),
                request.mail() == null ? null : request.mail().to());
    }
}
