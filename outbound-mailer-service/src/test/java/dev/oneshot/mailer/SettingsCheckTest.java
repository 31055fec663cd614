package dev.oneshot.mailer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsCheckTest {

    @ParameterizedTest
    @CsvSource({
        "ONESHOT_RELAY_USER, false",
        "ONESHOT_DKIM_SELECTER, false",
        "ONESHOT_MAILER_CONCURENCY, false",
        "ONESHOT_MAILER_RETRY_LONG_PAUSES, false",
        "ONESHOT_RELAY_MAILS_PER_CONNECTION, true",
        "ONESHOT_DKIM_PRIVATE_KEY_FILE, true",
        "ONESHOT_MAILER_DRAIN_TIMEOUT, true",
        "ONESHOT_MAILER_RETRY_LONG_PAUSE, true"
    })
    void misspeltVariableStopsTheStartAndIsNamed(String variable, boolean known) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(Map.of(variable, "1"), 300))
                .build();

        Throwable failure = catchThrowable(() -> new SettingsCheck(config));

        if (known) {
            assertThat(failure).isNull();
        } else {
            assertThat(failure)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(variable + " is no setting of this service");
        }
    }
}
