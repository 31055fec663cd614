package dev.oneshot.expiry;

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
        "ONESHOT_EXPIRY_BACH_SIZE, false",
        "ONESHOT_EXPIRY_PARTITION, false",
        "ONESHOT_EXPIRY_PARTITION_PERIOD_SECONDS, false",
        "ONESHOT_EXPIRY_BATCH_BYTES, true",
        "ONESHOT_EXPIRY_PARTITION_DROP_DELAY, true",
        "ONESHOT_EXPIRY_STOP_TIMEOUT, true"
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
