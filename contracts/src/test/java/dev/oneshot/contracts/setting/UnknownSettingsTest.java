package dev.oneshot.contracts.setting;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class UnknownSettingsTest {

    @ConfigMapping(prefix = "oneshot.smtp")
    interface Smtp {
        int port();

        int messageBytesMax();

        Optional<List<String>> proxyNetworks();
    }

    @ConfigMapping(prefix = "oneshot.rate-limit")
    interface RateLimit {
        int leaseTime();
    }

    @ConfigMapping(prefix = "oneshot.headers")
    interface Headers {
        Map<String, String> fixed();
    }

    @ConfigMapping(prefix = "oneshot")
    interface Plans {
        String receiveDomain();

        Map<String, Plan> plans();

        interface Plan {
            int burst();
        }
    }

    /** The error says nothing about a setting that is known or that belongs to another service. */
    @ParameterizedTest
    @CsvFileSource(resources = "/settings.txt", delimiter = '|', quoteCharacter = '\'')
    void misspeltSettingIsNamedWithItsSourceAndKnownOnesAreNot(String name, String said) {
        ConfigSource source = name.startsWith("ONESHOT")
                ? new EnvConfigSource(Map.of(name, "1"), 300)
                : new PropertiesConfigSource(Map.of(name, "1"), "a file", 250);

        if (said.equals("nothing")) {
            assertThatCode(() -> check(source)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> check(source))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage(name + " is " + said + " (from " + source.getName() + ")");
        }
    }

    private static void check(ConfigSource source) {
        UnknownSettings.reject(
                new SmallRyeConfigBuilder().withSources(source).build(),
                List.of(Smtp.class, RateLimit.class, Headers.class, Plans.class),
                Set.of("oneshot.http.host"));
    }
}
