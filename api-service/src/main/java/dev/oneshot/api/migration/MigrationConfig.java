package dev.oneshot.api.migration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When and how patiently the database is migrated. */
@ConfigMapping(prefix = "oneshot.migration")
public interface MigrationConfig {

    /** Whether this process migrates before it serves. */
    @WithDefault("true")
    boolean atStart();

    /** Whether this process only migrates and then ends, as the chart's Job does; whatever {@link #atStart()} says. */
    @WithDefault("false")
    boolean only();

    /**
     * How long a migration waits for one lock, a millisecond to a minute. All that came after it and want the same table
     * wait as long. Then it lets them go first, for five times as long, and tries again.
     */
    @WithDefault("PT1S")
    Duration lockTimeout();

    /**
     * How long it tries to get its locks in all, and how long it waits for another process that migrates; a second to a day.
     */
    @WithDefault("PT10M")
    Duration lockPatience();
}
