package dev.oneshot.api.address;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** An address in the answers of get and list. */
@RegisterForReflection
@Schema(name = "Address")
record AddressView(
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
                enumeration = {"waiting", "received", "expired", "sent"})
        Status status,

        @Schema(required = true, format = "date-time", examples = "2026-01-31T13:00:00Z")
        String expiresAt,

        @Schema(required = true, nullable = true, examples = "signup-test") @Nullable
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
