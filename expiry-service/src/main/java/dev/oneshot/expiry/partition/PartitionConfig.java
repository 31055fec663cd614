package dev.oneshot.expiry.partition;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When partitions of mail are created and dropped. {@link dev.oneshot.expiry.SettingsCheck} checks the bounds. */
@ConfigMapping(prefix = "oneshot.expiry.partition")
public interface PartitionConfig {

    /** How often each replica checks for partitions to create or to drop. */
    @WithDefault("10s")
    Duration period();

    /**
     * How far ahead partitions exist. Must exceed the longest lifetime of an address, by default a day, as mail
     * without a partition cannot be stored. The rest is how long this service may be down.
     */
    @WithDefault("48h")
    Duration ahead();

    /**
     * How long after its hour a partition is dropped. A transaction that stored mail at the end of the hour must
     * still find it.
     */
    @WithDefault("30s")
    Duration dropDelay();

    /**
     * How long a drop waits for the lock of the table of all mail. Readers wait behind it for this long at most.
     * After that the drop is retried after {@link #period()}.
     */
    @WithDefault("100ms")
    Duration lockTimeout();
}
