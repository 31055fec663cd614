package dev.oneshot.mailer;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import java.util.Objects;

/** Reads settings as the service does at its start. */
public final class TestSettings {

    private TestSettings() {}

    /** The settings of a mapping: their defaults, but for those given by their names without the prefix. */
    public static <T> T read(Class<T> mapping, Map<String, String> given) {
        String prefix = Objects.requireNonNull(mapping.getAnnotation(ConfigMapping.class))
                .prefix();
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withMapping(mapping);
        given.forEach((name, value) -> builder.withDefaultValue(prefix + "." + name, value));
        return builder.build().getConfigMapping(mapping);
    }
}
