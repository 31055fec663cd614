package dev.oneshot.api.account;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long the accounts of API keys are remembered. */
@ConfigMapping(prefix = "oneshot.key-cache")
public interface KeyCacheConfig {

    /** How long a replica remembers the account of a key, at most 1 s. A replaced key stays valid on other replicas for that long. */
    @WithDefault("PT0.8S")
    Duration time();

    /** How long a replica remembers that a signed key has no account. */
    @WithDefault("PT10M")
    Duration forget();

    /** How many keys are remembered; some 400 bytes each. */
    @WithDefault("50000")
    int entries();
}
