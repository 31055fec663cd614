package dev.oneshot.api.configuration;

import dev.oneshot.api.migration.Migration;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Stops the start, before anything else is done, when a setting of this service is misspelt, which would otherwise have its
 * default unnoticed.
 */
@Startup(Migration.PRIORITY - 1)
@ApplicationScoped
class UnknownSettings {

    UnknownSettings(Config config) {
        SettingNames names = new SettingNames();
        TreeMap<String, String> unknown = new TreeMap<>();
        for (ConfigSource source : config.getConfigSources()) {
            boolean isEnvironment = source.getName().contains("EnvConfigSource");
            for (String name : source.getPropertyNames()) {
                // Of the environment only the variables as they are: their names as properties are guesses.
                boolean isVariable = name.startsWith("ONESHOT_");
                if (isVariable == isEnvironment && !names.isSane(name)) {
                    unknown.put(name, source.getName());
                }
            }
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(unknown.entrySet().stream()
                    .map(entry -> entry.getKey() + " is no setting of this service (from " + entry.getValue() + ")")
                    .collect(Collectors.joining("; ")));
        }
    }
}
