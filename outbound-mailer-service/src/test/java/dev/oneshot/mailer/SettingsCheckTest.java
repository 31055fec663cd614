package dev.oneshot.mailer;

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
            strings = {
                "ONESHOT_RELAY_USER",
                "ONESHOT_DKIM_SELECTER",
                "ONESHOT_MAILER_CONCURENCY",
                "ONESHOT_MAILER_RETRY_LONG_PAUSES"
            })
    void misspeltVariableStopsTheStartAndIsNamed(String name) {
        assertThatThrownBy(() -> start(name))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name + " is no setting of this service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_RELAY_MAILS_PER_CONNECTION",
                "ONESHOT_DKIM_PRIVATE_KEY_FILE",
                "ONESHOT_MAILER_DRAIN_TIMEOUT",
                "ONESHOT_MAILER_RETRY_LONG_PAUSE"
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
