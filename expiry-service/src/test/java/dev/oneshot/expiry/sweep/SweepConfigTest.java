package dev.oneshot.expiry.sweep;

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

class SweepConfigTest {

    private static final Validator VALIDATOR = Validation.byDefaultProvider()
            .configure()
            .messageInterpolator(new ParameterMessageInterpolator())
            .buildValidatorFactory()
            .getValidator();

    @ParameterizedTest
    @CsvSource({
        "period, 999ms, 1s, 1m, 61s",
        "forget-period, 999ms, 1s, 24h, 86401s",
        "batch-size, 0, 1, 10000, 10001",
        "parallelism, 0, 1, 8, 9",
        "listed-for, 59s, 1m, 3650d, 3651d"
    })
    void everySettingHasBoundsAndTheMessageNamesIt(
            String name, String tooSmall, String smallest, String largest, String tooLarge) {
        String key = "oneshot.expiry." + name;

        assertThat(read(key, smallest)).isNotNull();
        assertThat(read(key, largest)).isNotNull();
        assertThatThrownBy(() -> read(key, tooSmall))
                .isInstanceOf(ConfigValidationException.class)
                .hasMessageContaining(key);
        assertThatThrownBy(() -> read(key, tooLarge))
                .isInstanceOf(ConfigValidationException.class)
                .hasMessageContaining(key);
    }

    private static SweepConfig read(String key, String value) {
        BeanValidationConfigValidator validator = () -> VALIDATOR;
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(SweepConfig.class)
                .withValidator(validator)
                .withDefaultValue(key, value)
                .build()
                .getConfigMapping(SweepConfig.class);
    }
}
