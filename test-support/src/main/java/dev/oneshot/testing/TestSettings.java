package dev.oneshot.testing;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;

/** The settings of a feature, of which a test gives some; the others have their defaults. */
public final class TestSettings {

    private TestSettings() {}

    /**
     * The settings of a feature.
     *
     * @param settings each {@code name=value}, with the name below the feature's prefix
     */
    public static <T> T of(Class<T> feature, String... settings) {
        Map<String, String> given = new HashMap<>();
        for (String setting : settings) {
            String[] nameAndValue = setting.split("=", 2);
            given.put(nameAndValue[0], nameAndValue[1]);
        }
        return of(feature, given);
    }

    /**
     * The settings of a feature.
     *
     * @param settings each with its name below the feature's prefix, or the whole name
     */
    public static <T> T of(Class<T> feature, Map<String, String> settings) {
        String prefix = feature.getAnnotation(ConfigMapping.class).prefix() + ".";
        Map<String, String> given = new HashMap<>();
        settings.forEach((name, value) -> given.put(name.startsWith("oneshot.") ? name : prefix + name, value));
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withMapping(feature)
                .withSources(new PropertiesConfigSource(given, "test", 100))
                .build()
                .getConfigMapping(feature);
    }
}
