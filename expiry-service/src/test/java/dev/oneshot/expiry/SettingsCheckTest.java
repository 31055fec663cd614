package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.expiry.partition.PartitionConfig;
import dev.oneshot.expiry.sweep.SweepConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class SettingsCheckTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/setting-bounds.txt")
    void bothBoundsAreGoodAndWhatIsBeyondThemIsRefusedByName(
            String name, String tooSmall, String smallest, String largest, String tooLarge) {
        String key = "oneshot.expiry." + name;
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
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(SweepConfig.class)
                .withMapping(PartitionConfig.class)
                .withMapping(StopConfig.class)
                .withDefaultValue(key, value)
                .build();
        SettingsCheck _ = new SettingsCheck(
                config,
                config.getConfigMapping(SweepConfig.class),
                config.getConfigMapping(PartitionConfig.class),
                config.getConfigMapping(StopConfig.class));
    }
}
