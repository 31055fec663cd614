package dev.oneshot.api.credit;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Credits that were added, and what an account has now. */
@RegisterForReflection
@Schema(name = "CreditsAdded", description = "Credits that were added.")
public record CreditsAddedView(
        @Schema(required = true, minimum = "1", description = "How many were added.", examples = "500")
        int creditsAdded,

        @Schema(required = true, minimum = "0", description = "The balance after that.", examples = "512")
        long credits,

        @Schema(
                required = true,
                description = "The name of the purchase.",
                examples = "purchase-5f0c8f0e-0c61-4b1d-9a60-0a4f0f1f2b3c")
        String reference) {}
