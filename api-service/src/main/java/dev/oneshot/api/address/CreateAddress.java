package dev.oneshot.api.address;

import dev.oneshot.api.account.Plan;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.sending.SendRequest;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The body of POST /addresses, with JSON's types but unchecked values. */
@RegisterForReflection
@Schema(name = "CreateAddress", description = "A new address; every member is optional in receive mode.")
record CreateAddress(
        @Schema(
                description =
                        "Seconds until the address expires. If the plan allows less, more is rejected and the default is reduced.",
                format = "int32",
                minimum = "60",
                maximum = "86400",
                defaultValue = "3600",
                nullable = true,
                examples = "600")
        @Nullable
        Long ttlSeconds,

        @Schema(
                description = "Used to filter lists and to delete in bulk. It must not have control characters.",
                minLength = 1,
                maxLength = 255,
                nullable = true,
                examples = "signup-test")
        @Nullable
        String label,

        @Schema(
                description = "What the address is for.",
                enumeration = {"receive", "send"},
                defaultValue = "receive",
                examples = "receive")
        @Nullable
        String mode,

        @Schema(
                description = "The e-mail to send. It is required in send mode and ignored in receive mode.",
                nullable = true)
        @Nullable
        SendRequest send) {

    private static final long TTL_SECONDS_MIN = 60;
    private static final long TTL_SECONDS_MAX = 86_400;
    private static final long TTL_SECONDS_DEFAULT = 3_600;

    /**
     * How long the address lives, within what anybody may ask for.
     *
     * @throws ApiException 400 if it is outside
     */
    Duration ttl() {
        long seconds = ttlSeconds == null ? TTL_SECONDS_DEFAULT : ttlSeconds;
        if (seconds < TTL_SECONDS_MIN || seconds > TTL_SECONDS_MAX) {
            throw ApiException.invalid("ttl_seconds must be between " + TTL_SECONDS_MIN + " and " + TTL_SECONDS_MAX);
        }
        return Duration.ofSeconds(seconds);
    }

    /**
     * Checks what is well-formed against what the plan allows. An unasked-for default is cut to the plan's maximum
     * instead of being refused.
     *
     * @throws ApiException 422 if it is more
     */
    Duration ttlWithin(Plan plan) {
        Duration ttl = ttl();
        if (ttl.toSeconds() <= plan.ttlSecondsMax()) {
            return ttl;
        }
        if (ttlSeconds == null) {
            return Duration.ofSeconds(plan.ttlSecondsMax());
        }
        throw ApiException.unprocessable(
                "ttl_seconds must be at most " + plan.ttlSecondsMax() + " on the plan " + plan.name());
    }

    /**
     * What the address is for.
     *
     * @throws ApiException 400 if there is no such mode
     */
    Mode modeOrDefault() {
        return mode == null
                ? Mode.RECEIVE
                : Mode.of(mode).orElseThrow(() -> ApiException.invalid("mode must be receive or send"));
    }

    /**
     * The label, if one was given.
     *
     * @throws ApiException 400 if it is not a label
     */
    @Nullable
    Label checkedLabel() {
        return Label.ofNullable(label);
    }
}
