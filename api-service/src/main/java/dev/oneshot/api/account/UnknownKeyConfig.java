package dev.oneshot.api.account;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How many API keys without a signature that do not exist one client network may have looked up. */
@ConfigMapping(prefix = "oneshot.unknown-keys")
public interface UnknownKeyConfig {

    /** In the long run, 1 to 100,000. More lets guessing weigh on the database. */
    @WithDefault("10")
    int perSecond();

    /** At once after a pause, 1 to 100,000. */
    @WithDefault("50")
    int burst();

    /**
     * How many client addresses, and how many keys that were valid, are remembered. Of more addresses at once the
     * least active are forgotten, and start anew.
     */
    @WithDefault("50000")
    int entries();
}
