package dev.oneshot.ingest;

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
    @ValueSource(strings = {"ONESHOT_DELIVERY_TIMOEUT", "ONESHOT_SMTP_PROT", "ONESHOT_RECIPIENT_DOMAINS"})
    void misspeltVariableStopsTheStartAndIsNamed(String name) {
        assertThatThrownBy(() -> start(name))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name + " is no setting of this service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_DELIVERY_INLINE_BYTES_MAX",
                "ONESHOT_SMTP_TLS_CONFIGURATION_NAME",
                "ONESHOT_SMTP_PROXY_NETWORKS_1_",
                "ONESHOT_RECIPIENT_CLOSED_ADDRESSES_MAX"
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
