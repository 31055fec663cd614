package dev.oneshot.expiry;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How the service ends. {@link SettingBounds} says what may be. */
@ConfigMapping(prefix = "oneshot.expiry")
public interface StopConfig {

    /**
     * How long a stop waits for what the schedules have begun, such as a batch. What takes longer is broken off and rolled
     * back; no statement takes longer than 30 s. The process must be given more, to close what it has open.
     */
    @WithDefault("30s")
    Duration stopTimeout();
}
