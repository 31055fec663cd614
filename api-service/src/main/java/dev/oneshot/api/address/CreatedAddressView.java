package dev.oneshot.api.address;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.oneshot.api.sending.SendRequest;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** An address in the response to its creation. */
@RegisterForReflection
@Schema(name = "CreatedAddress", description = "A new address.")
record CreatedAddressView(
        @Schema(
                required = true,
                description = "The local part of the address, which names it in every path.",
                examples = "cgoeakwtnnh2sbp5uyxq7dzl")
        String id,

        @Schema(
                required = true,
                description = "The full e-mail address.",
                examples = "cgoeakwtnnh2sbp5uyxq7dzl@in.oneshot.localhost")
        String address,

        @Schema(
                required = true,
                description = "What the address is for.",
                implementation = String.class,
                enumeration = {"receive", "send"})
        Mode mode,

        @Schema(
                required = true,
                description = "The state of the address.",
                implementation = String.class,
                enumeration = {"waiting", "sent"})
        Status status,

        @Schema(
                required = true,
                format = "date-time",
                description = "When the address and its e-mail are deleted, in UTC.",
                examples = "2026-01-31T13:00:00Z")
        String expiresAt,

        @Schema(required = true, nullable = true, description = "Null if none was given.", examples = "signup-test")
        @Nullable
        String label,

        @Schema(description = "The recipient of the e-mail; in send mode only.", examples = "someone@example.org")
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
