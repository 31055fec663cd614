package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.expiry.partition.PartitionConfig;
import dev.oneshot.expiry.sweep.SweepConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Reads settings as the service does at its start. */
public final class SettingsReader {

    private SettingsReader() {}

    /** The settings, with one of them given. */
    public static <T> T read(Class<T> settings, String key, String value) {
        return config(key, value).getConfigMapping(settings);
    }

    /** Both bounds are good, and what is beyond them is refused with the name of the key. */
    public static void assertBounds(String key, String tooSmall, String smallest, String largest, String tooLarge) {
        for (String good : new String[] {smallest, largest}) {
            assertThatCode(() -> check(key, good)).as("%s=%s", key, good).doesNotThrowAnyException();
        }
        for (String refused : new String[] {tooSmall, tooLarge}) {
            assertThatThrownBy(() -> check(key, refused))
                    .as("%s=%s", key, refused)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith(key + " must be between ");
        }
    }

    private static void check(String key, String value) {
        SmallRyeConfig config = config(key, value);
        SettingBounds _ = new SettingBounds(
                config.getConfigMapping(SweepConfig.class),
                config.getConfigMapping(PartitionConfig.class),
                config.getConfigMapping(StopConfig.class));
    }

    private static SmallRyeConfig config(String key, String value) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(SweepConfig.class)
                .withMapping(PartitionConfig.class)
                .withMapping(StopConfig.class)
                .withDefaultValue(key, value)
                .build();
    }
}
