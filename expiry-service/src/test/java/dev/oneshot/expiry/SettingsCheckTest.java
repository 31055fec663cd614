package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsCheckTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"ONESHOT_EXPIRY_BACH_SIZE", "ONESHOT_EXPIRY_PARTITION", "ONESHOT_EXPIRY_PARTITION_PERIOD_SECONDS"
            })
    void misspeltVariableStopsTheStartAndIsNamed(String name) {
        assertThatThrownBy(() -> start(name))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name + " is no setting of this service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_EXPIRY_BATCH_BYTES",
                "ONESHOT_EXPIRY_PARTITION_DROP_DELAY",
                "ONESHOT_EXPIRY_STOP_TIMEOUT"
            })
    void settingsAreKnown(String name) {
        assertThatCode(() -> start(name)).doesNotThrowAnyException();
    }

    private static void start(String variable) {
        new SettingsCheck(new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(Map.of(variable, "1"), 300))
                .build());
    }
}
