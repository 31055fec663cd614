package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnknownSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"ONESHOT_EXPIRY_BACH_SIZE", "ONESHOT_EXPIRY_PARTITION", "ONESHOT_EXPIRY_PARTITION_PERIOD_SECONDS"
            })
    void misspeltVariableStopsTheStartAndIsNamed(String name) {
        assertThatThrownBy(() -> new UnknownSettings(environment(name)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name + " is no setting of this service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_EXPIRY_PERIOD",
                "ONESHOT_EXPIRY_BATCH_SIZE",
                "ONESHOT_EXPIRY_BATCH_BYTES",
                "ONESHOT_EXPIRY_PARTITION_PERIOD",
                "ONESHOT_EXPIRY_PARTITION_DROP_DELAY"
            })
    void settingsAreKnown(String name) {
        assertThatCode(() -> new UnknownSettings(environment(name))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_LOCAL_EXPIRY_MANAGEMENT_PORT",
                "ONESHOT_HTTP_PROT",
                "ONESHOT_EXPIRY_SERVICE_HOST",
                "ONESHOT_EXPIRY_SERVICE_PORT_MANAGEMENT",
                "ONESHOT_EXPIRY_PORT",
                "ONESHOT_EXPIRY_PORT_9000_TCP_ADDR"
            })
    void whatBelongsToOthersIsLeftAlone(String name) {
        assertThatCode(() -> new UnknownSettings(environment(name))).doesNotThrowAnyException();
    }

    private static Config environment(String name) {
        return new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(Map.of(name, "1"), 300))
                .build();
    }
}
