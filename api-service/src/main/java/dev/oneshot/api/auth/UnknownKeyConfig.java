package dev.oneshot.api.auth;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How many unsigned API keys that do not exist one client network may have looked up. */
@ConfigMapping(prefix = "oneshot.unknown-keys")
public interface UnknownKeyConfig {

    /** In the long run, 1 to 100,000. With more, guessing loads the database. */
    @WithDefault("10")
    int perSecond();

    /** At once after a pause, 1 to 100,000. */
    @WithDefault("50")
    int burst();

    /**
     * How many client addresses, and how many keys that were valid, are remembered. If there are more, the
     * least active are forgotten and restart.
     */
    @WithDefault("50000")
    int entries();
}
