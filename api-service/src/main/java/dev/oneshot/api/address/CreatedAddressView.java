package dev.oneshot.api.address;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An address in the response to its creation. Without label and recipient it is kept for an {@code Idempotency-Key}, so later
 * versions must be able to read it.
 */
record CreatedAddressView(
        String id,
        String address,
        Mode mode,
        Status status,
        Instant expiresAt,
        @Nullable String label,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String sendTo) {

    /** With the label and the recipient of the request. */
    CreatedAddressView forRequest(NewAddress request) {
        return new CreatedAddressView(
                id,
                address,
                mode,
                status,
                expiresAt,
                request.label() == null ? null : request.label().text(),
                request.mail() == null ? null : request.mail().to());
    }
}
