package dev.oneshot.mailer;

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
            strings = {
                "ONESHOT_RELAY_USER",
                "ONESHOT_RELAY_PROT",
                "ONESHOT_RELAY_TLS_MODE",
                "ONESHOT_DKIM_SELECTER",
                "ONESHOT_MAILER_CONCURENCY",
                "ONESHOT_MAILER_RETRY",
                "ONESHOT_MAILER_RETRY_LONG_PAUSES"
            })
    void misspeltVariableStopsTheStartAndIsNamed(String name) {
        assertThatThrownBy(() -> new UnknownSettings(environment(name)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name + " is no setting of this service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_RELAY_HOST",
                "ONESHOT_RELAY_PORT",
                "ONESHOT_RELAY_MAILS_PER_CONNECTION",
                "ONESHOT_DKIM_PRIVATE_KEY_FILE",
                "ONESHOT_MAILER_DRAIN_TIMEOUT",
                "ONESHOT_MAILER_RETRY_LONG_PAUSE",
                "ONESHOT_MAILER_RETRY_JITTER"
            })
    void settingsAreKnown(String name) {
        assertThatCode(() -> new UnknownSettings(environment(name))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_LOCAL_MAILER_MANAGEMENT_PORT",
                "ONESHOT_MANAGEMENT_PORT",
                "ONESHOT_SEND_DOMAIN",
                "ONESHOT_MAILER_SERVICE_HOST",
                "ONESHOT_MAILER_SERVICE_PORT_MANAGEMENT",
                "ONESHOT_MAILER_PORT",
                "ONESHOT_MAILER_PORT_9002_TCP_ADDR"
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
