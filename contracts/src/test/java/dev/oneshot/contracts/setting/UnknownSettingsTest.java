package dev.oneshot.contracts.setting;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;
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

    @ParameterizedTest
    @CsvFileSource(resources = "/settings.txt", delimiter = '|', quoteCharacter = '\'')
    void onlyUnknownSettingsAreNamedWithTheirSource(String name, String value, @Nullable String message) {
        ConfigSource source = name.startsWith("ONESHOT_")
                ? new EnvConfigSource(Map.of(name, value), 300)
                : new PropertiesConfigSource(Map.of(name, value), "a file", 250);

        Optional<String> unknown = UnknownSettings.in(
                new SmallRyeConfigBuilder().withSources(source).build(),
                List.of(Smtp.class, RateLimit.class, Headers.class, Plans.class),
                Set.of("oneshot.http.host"));

        if (message == null) {
            assertThat(unknown).isEmpty();
        } else {
            assertThat(unknown.orElseThrow())
                    .startsWith(name + " " + message + " (from ")
                    .contains(source.getName());
        }
    }
}
