package dev.oneshot.api.account;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * The plans that are offered. Their defaults are in {@code application.properties}, as a plan exists by being named
 * there; another one is added by naming it in configuration, with all of its values.
 */
@ConfigMapping(prefix = "oneshot")
public interface PlanConfig {

    /** The plans by name, as accounts carry it. */
    Map<String, Limits> plans();

    /** The pricing page that a 402 points to. */
    @WithDefault("https://oneshot.example/pricing")
    URI upgradeUrl();

    /** The limits of a plan. */
    interface Limits {

        /** How many addresses a billing cycle includes. */
        long addressesPerMonth();

        /** The longest {@code ttl_seconds}: a minute to a day, in whole seconds. */
        Duration maxTtl();

        /** The largest e-mail: a power of two from 64K to 64M, as it travels in the address id. */
        MemorySize maxEmail();

        /**
         * The largest attachment once decoded: a sixteenth of {@link #maxEmail()} or a multiple of it, as it travels in
         * the address id too.
         */
        MemorySize maxAttachment();

        /** Requests a second in the long run, at least 1. */
        int requestsPerSecond();

        /** Requests at once after a pause, at least 1. */
        int burst();
    }
}
