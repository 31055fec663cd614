package dev.oneshot.api.credit;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The body of POST /account/credits, with JSON's types but unchecked values. */
@RegisterForReflection
@Schema(name = "BuyCredits", description = "A purchase of credits.")
record BuyCredits(
        @Schema(
                required = true,
                format = "int32",
                description = "How many credits to buy.",
                minimum = "1",
                maximum = "1000000",
                examples = "500")
        @Nullable
        Long credits) {}
