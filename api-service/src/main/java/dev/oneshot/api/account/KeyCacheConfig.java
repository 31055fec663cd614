package dev.oneshot.api.account;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long and how many answers about API keys are remembered. */
@ConfigMapping(prefix = "oneshot.key-cache")
public interface KeyCacheConfig {

    /**
     * How long a replica believes an answer, or that it knows of all changes, without looking again. A replaced key
     * stays valid on other replicas for that long at most, so at most a second.
     */
    @WithDefault("PT0.8S")
    Duration time();

    /** How often changes of accounts are read, at most half of {@link #time()}: one small query for all accounts. */
    @WithDefault("PT0.25S")
    Duration changesEvery();

    /** How long an answer is remembered at all, as long as no change of its account is known. */
    @WithDefault("PT10M")
    Duration forget();

    /** How many answers are kept; some 400 octets each. */
    @WithDefault("50000")
    int entries();
}
