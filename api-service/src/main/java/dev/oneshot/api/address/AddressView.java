package dev.oneshot.api.address;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** An address in the responses of get and list. */
@RegisterForReflection
@Schema(name = "Address", description = "An address and a summary of its e-mail.")
record AddressView(
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
                enumeration = {"waiting", "received", "expired", "sent"})
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

        @Schema(required = true, nullable = true, description = "Null while no e-mail has been received.") @Nullable
        EmailSummaryView email) {

    static AddressView of(Address address, AddressDomains domains) {
        return new AddressView(
                address.id(),
                domains.addressOf(address.mode(), address.id()),
                address.mode(),
                address.status(),
                Timestamps.text(address.expiresAt()),
                address.label(),
                EmailSummaryView.of(address.summary()));
    }
}
