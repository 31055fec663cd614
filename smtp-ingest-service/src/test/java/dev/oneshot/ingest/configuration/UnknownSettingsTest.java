package dev.oneshot.ingest.configuration;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnknownSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "oneshot.delivery.timoeut",
                "oneshot.delivery.timeout.x",
                "oneshot.smtp.prot",
                "oneshot.smtp.connections-max-per-client",
                "oneshot.recipient.domains"
            })
    void misspeltPropertyStopsTheStartAndIsNamed(String name) {
        assertThatThrownBy(() -> start(properties(name)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name + " is no setting of this service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_DELIVERY_TIMOEUT",
                "ONESHOT_SMTP_PROT",
                "ONESHOT_SMTP_MEMORY_MAX",
                "ONESHOT_RECIPIENT_DOMAINS"
            })
    void misspeltVariableStopsTheStartAndIsNamed(String name) {
        assertThatThrownBy(() -> start(environment(name)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name + " is no setting of this service");
    }

    @ParameterizedTest
    @CsvSource({
        "oneshot.delivery.timeout, ONESHOT_DELIVERY_TIMEOUT",
        "oneshot.delivery.inline-bytes-max, ONESHOT_DELIVERY_INLINE_BYTES_MAX",
        "oneshot.smtp.port, ONESHOT_SMTP_PORT",
        "oneshot.smtp.tls-configuration-name, ONESHOT_SMTP_TLS_CONFIGURATION_NAME",
        "oneshot.smtp.tls-protocols, ONESHOT_SMTP_TLS_PROTOCOLS",
        "oneshot.smtp.proxy-networks, ONESHOT_SMTP_PROXY_NETWORKS",
        "oneshot.smtp.proxy-networks[1], ONESHOT_SMTP_PROXY_NETWORKS_1_",
        "oneshot.recipient.closed-addresses-max, ONESHOT_RECIPIENT_CLOSED_ADDRESSES_MAX"
    })
    void settingsAreKnownByBothOfTheirNames(String property, String variable) {
        assertThatCode(() -> start(properties(property))).doesNotThrowAnyException();
        assertThatCode(() -> start(environment(variable))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_HTTP_PROT",
                "ONESHOT_LOCAL_HEAP",
                "ONESHOT_ADDRESS_ID_LENGTH",
                "ONESHOT_SMTP_SERVICE_HOST",
                "ONESHOT_SMTP_SERVICE_PORT_SMTP",
                "ONESHOT_SMTP_PORT_25_TCP_ADDR"
            })
    void whatBelongsToOthersIsLeftAlone(String variable) {
        assertThatCode(() -> start(environment(variable))).doesNotThrowAnyException();
    }

    private static void start(ConfigSource source) {
        new UnknownSettings(new SmallRyeConfigBuilder().withSources(source).build());
    }

    private static ConfigSource properties(String name) {
        return new PropertiesConfigSource(Map.of(name, "1"), "a file", 250);
    }

    private static ConfigSource environment(String name) {
        return new EnvConfigSource(Map.of(name, "1"), 300);
    }
}
