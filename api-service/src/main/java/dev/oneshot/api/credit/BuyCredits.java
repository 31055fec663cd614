package dev.oneshot.api.credit;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The body of POST /account/credits, with JSON's types but unchecked values. */
@RegisterForReflection
@Schema(name = "BuyCredits")
record BuyCredits(
        @Schema(required = true, minimum = "1", maximum = "1000000", examples = "500") @Nullable
        Long credits) {}
