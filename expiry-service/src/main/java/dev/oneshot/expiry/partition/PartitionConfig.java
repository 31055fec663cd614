package dev.oneshot.expiry.partition;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When the partitions of mail content come and go. {@link dev.oneshot.expiry.SettingBounds} says what may be. */
@ConfigMapping(prefix = "oneshot.expiry.partition")
public interface PartitionConfig {

    /** How often each replica looks for partitions to create or to drop. */
    @WithDefault("10s")
    Duration period();

    /**
     * How far ahead partitions exist. Must exceed the longest lifetime of an address, by default a day: mail without
     * a partition cannot be stored. What is above it is the time for which this service may be away.
     */
    @WithDefault("48h")
    Duration ahead();

    /**
     * How long after its hour a partition is dropped, so that a transaction which stored a mail in the last moment
     * still finds it.
     */
    @WithDefault("30s")
    Duration dropDelay();

    /**
     * How long a drop waits for those who are using the table of all mail. Meanwhile others wait behind it, so this is
     * by how much it can slow down a reader; when the time is over it gives up, to try again after {@link #period()}.
     */
    @WithDefault("100ms")
    Duration lockTimeout();
}
