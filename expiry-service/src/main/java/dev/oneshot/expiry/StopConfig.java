package dev.oneshot.expiry;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How the service stops. {@link SettingsCheck} checks the bounds. */
@ConfigMapping(prefix = "oneshot.expiry")
public interface StopConfig {

    /**
     * How long a stop waits for rounds that have begun. A longer one is interrupted and rolled back; no statement
     * takes longer than 30 s. The process needs more time than this, to close its connections.
     */
    @WithDefault("30s")
    Duration stopTimeout();
}
