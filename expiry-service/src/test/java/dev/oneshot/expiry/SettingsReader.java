package dev.oneshot.expiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.validator.BeanValidationConfigValidator;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;

/** Reads settings as the service does at its start. */
public final class SettingsReader {

    private static final Validator VALIDATOR = Validation.byDefaultProvider()
            .configure()
            .messageInterpolator(new ParameterMessageInterpolator())
            .buildValidatorFactory()
            .getValidator();

    private SettingsReader() {}

    /** The settings, with one of them given. */
    public static <T> T read(Class<T> settings, String key, String value) {
        BeanValidationConfigValidator validator = () -> VALIDATOR;
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(settings)
                .withValidator(validator)
                .withDefaultValue(key, value)
                .build()
                .getConfigMapping(settings);
    }

    /** Both bounds are good, and what is beyond them is refused with the name of the key. */
    public static void assertBounds(
            Class<?> settings, String key, String tooSmall, String smallest, String largest, String tooLarge) {
        assertThat(read(settings, key, smallest)).isNotNull();
        assertThat(read(settings, key, largest)).isNotNull();
        for (String refused : new String[] {tooSmall, tooLarge}) {
            assertThatThrownBy(() -> read(settings, key, refused))
                    .as("%s=%s", key, refused)
                    .isInstanceOf(ConfigValidationException.class)
                    .hasMessageContaining(key);
        }
    }
}
