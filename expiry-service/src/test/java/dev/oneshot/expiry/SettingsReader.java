package dev.oneshot.expiry;

import dev.oneshot.expiry.partition.PartitionConfig;
import dev.oneshot.expiry.sweep.SweepConfig;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Reads settings as the service does at its start. */
public final class SettingsReader {

    private SettingsReader() {}

    /** The settings, with one of them given. */
    public static SmallRyeConfig read(String key, String value) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(SweepConfig.class)
                .withMapping(PartitionConfig.class)
                .withMapping(StopConfig.class)
                .withDefaultValue(key, value)
                .build();
    }
}
