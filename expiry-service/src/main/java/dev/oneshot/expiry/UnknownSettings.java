package dev.oneshot.expiry;

import dev.oneshot.contracts.setting.SettingVariables;
import dev.oneshot.expiry.partition.PartitionConfig;
import dev.oneshot.expiry.sweep.SweepConfig;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMappings.ConfigClass;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * Stops the start when a variable of this service is misspelt, which would otherwise have its default unnoticed. Misspelt
 * properties are found by SmallRye; settings with other beginnings may be another service's.
 */
@Startup
@Singleton
final class UnknownSettings {

    UnknownSettings(Config config) {
        Set<String> settings = Stream.of(SweepConfig.class, PartitionConfig.class, StopConfig.class)
                .flatMap(mapping -> ConfigClass.configClass(mapping).getProperties().keySet().stream())
                .collect(Collectors.toSet());
        Set<String> misspelt =
                SettingVariables.misspelt(config.getPropertyNames(), List.of("oneshot.expiry."), settings);
        if (!misspelt.isEmpty()) {
            throw new ConfigurationException(misspelt.stream()
                    .map(name -> name + " is no setting of this service")
                    .collect(Collectors.joining("; ")));
        }
    }
}
