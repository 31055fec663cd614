package dev.oneshot.expiry;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** How the service ends. */
@ConfigMapping(prefix = "oneshot.expiry")
public interface StopConfig {

    /**
     * How long a stop waits for what the schedules have begun, such as a batch. What takes longer is broken off and rolled
     * back; no statement takes longer than 30 s. The process must be given more, to close what it has open.
     */
    @WithDefault("30s")
    @DurationMin(seconds = 0)
    @DurationMax(minutes = 10)
    Duration stopTimeout();
}
