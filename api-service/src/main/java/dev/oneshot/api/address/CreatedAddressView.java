package dev.oneshot.api.address;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.oneshot.api.sending.SendRequest;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** An address in the answer to its creation. */
@RegisterForReflection
@Schema(name = "CreatedAddress")
record CreatedAddressView(
        @Schema(required = true, examples = "cgoeakwtnnh2sbp5uyxq7dzl")
        String id,

        @Schema(required = true, examples = "cgoeakwtnnh2sbp5uyxq7dzl@in.oneshot.localhost")
        String address,

        @Schema(
                required = true,
                implementation = String.class,
                enumeration = {"receive", "send"})
        Mode mode,

        @Schema(
                required = true,
                implementation = String.class,
                enumeration = {"waiting", "sent"})
        Status status,

        @Schema(required = true, format = "date-time", examples = "2026-01-31T13:00:00Z")
        String expiresAt,

        @Schema(required = true, nullable = true, examples = "signup-test") @Nullable
        String label,

        @Schema(description = "Where the e-mail goes; in send mode only.", examples = "someone@example.org")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        String sendTo) {

    static CreatedAddressView of(IssuedAddress issued, CreateAddress request) {
        SendRequest send = request.send();
        return new CreatedAddressView(
                issued.id(),
                issued.address(),
                issued.mode(),
                issued.status(),
                issued.expiresAt(),
                request.label(),
                issued.mode() == Mode.SEND && send != null ? send.to() : null);
    }
}
