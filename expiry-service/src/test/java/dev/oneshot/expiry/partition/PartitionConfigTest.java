package dev.oneshot.expiry.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.validator.BeanValidationConfigValidator;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionConfigTest {

    private static final Validator VALIDATOR = Validation.byDefaultProvider()
            .configure()
            .messageInterpolator(new ParameterMessageInterpolator())
            .buildValidatorFactory()
            .getValidator();

    @ParameterizedTest
    @CsvSource({
        "period, 999ms, 1s, 1h, 3601s",
        "ahead, 89999s, 25h, 31d, 2678401s",
        "drop-delay, -PT1S, 0s, 24h, 86401s",
        "lock-timeout, 0s, 1ms, 10s, 10001ms"
    })
    void everySettingHasBoundsAndTheMessageNamesIt(
            String name, String tooSmall, String smallest, String largest, String tooLarge) {
        String key = "oneshot.expiry.partition." + name;

        assertThat(read(key, smallest)).isNotNull();
        assertThat(read(key, largest)).isNotNull();
        assertThatThrownBy(() -> read(key, tooSmall))
                .isInstanceOf(ConfigValidationException.class)
                .hasMessageContaining(key);
        assertThatThrownBy(() -> read(key, tooLarge))
                .isInstanceOf(ConfigValidationException.class)
                .hasMessageContaining(key);
    }

    private static PartitionConfig read(String key, String value) {
        BeanValidationConfigValidator validator = () -> VALIDATOR;
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(PartitionConfig.class)
                .withValidator(validator)
                .withDefaultValue(key, value)
                .build()
                .getConfigMapping(PartitionConfig.class);
    }
}
