package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.expiry.partition.PartitionConfig;
import dev.oneshot.expiry.sweep.SweepConfig;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsCheckTest {

    @ParameterizedTest
    @CsvSource({
        "period, 999ms, 1s, 1m, 61s",
        "forget-period, 999ms, 1s, 24h, 86401s",
        "batch-size, 0, 1, 10000, 10001",
        "batch-bytes, 0, 1, 1073741824, 1073741825",
        "parallelism, 0, 1, 8, 9",
        "listed-for, 59s, 1m, 3650d, 3651d",
        "settled-sends-kept, 59s, 1m, 3650d, 3651d",
        "partition.period, 999ms, 1s, 1h, 3601s",
        "partition.ahead, 89999s, 25h, 31d, 2678401s",
        "partition.drop-delay, -PT1S, 0s, 24h, 86401s",
        "partition.lock-timeout, 0s, 1ms, 10s, 10001ms",
        "stop-timeout, -1s, 0s, 10m, 601s"
    })
    void bothBoundsAreGoodAndWhatIsBeyondThemIsRefusedByName(
            String name, String tooSmall, String smallest, String largest, String tooLarge) {
        String key = "oneshot.expiry." + name;
        for (String good : new String[] {smallest, largest}) {
            assertThatCode(() -> check(key, good)).as("%s=%s", key, good).doesNotThrowAnyException();
        }
        for (String refused : new String[] {tooSmall, tooLarge}) {
            assertThatThrownBy(() -> check(key, refused))
                    .as("%s=%s", key, refused)
                    .isInstanceOf(IllegalArgumentException.class)
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
