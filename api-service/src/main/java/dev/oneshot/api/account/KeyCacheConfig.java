package dev.oneshot.api.account;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long and how many answers about API keys are remembered. */
@ConfigMapping(prefix = "oneshot.key-cache")
public interface KeyCacheConfig {

    /**
     * How long an answer is believed. A replaced key stays valid on other replicas for that long, so at most a second;
     * the shorter, the more often the database is asked.
     */
    @WithDefault("PT0.8S")
    Duration time();

    /** How many answers are kept; some 300 octets each. */
    @WithDefault("20000")
    int entries();
}
