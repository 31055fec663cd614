package dev.oneshot.testing;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;

/** Settings as a process has them that is given only some. */
public final class TestSettings {

    private TestSettings() {}

    /**
     * The settings of a feature.
     *
     * @param settings each {@code name=value}, with the name below the feature's prefix
     */
    public static <T> T of(Class<T> feature, String... settings) {
        String prefix = feature.getAnnotation(ConfigMapping.class).prefix() + ".";
        Map<String, String> given = new HashMap<>();
        for (String setting : settings) {
            String[] nameAndValue = setting.split("=", 2);
            given.put(prefix + nameAndValue[0], nameAndValue[1]);
        }
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withMapping(feature)
                .withSources(new PropertiesConfigSource(given, "test", 100))
                .build()
                .getConfigMapping(feature);
    }
}
