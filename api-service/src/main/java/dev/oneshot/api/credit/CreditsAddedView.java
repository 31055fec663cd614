package dev.oneshot.api.credit;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Credits that were added, and what an account has now. */
@RegisterForReflection
@Schema(name = "CreditsAdded")
public record CreditsAddedView(
        @Schema(required = true, minimum = "1", examples = "500")
        int creditsAdded,

        @Schema(required = true, minimum = "0", description = "The balance.", examples = "512")
        long credits,

        @Schema(required = true, examples = "purchase-5f0c8f0e-0c61-4b1d-9a60-0a4f0f1f2b3c")
        String reference) {}
